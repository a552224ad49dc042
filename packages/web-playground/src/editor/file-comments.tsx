import type { EditorView } from "@codemirror/view";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { loadComments, loadedComments } from "../comments/load-comments.ts";
import { CurrentPage, usePage } from "../state/page-context.ts";
import { Lazy } from "../ui/lazy.tsx";
import { openEditor } from "./code-editor.ts";

const pane = () => import("../comments/comments-pane.tsx").then(({ CommentsPane }) => CommentsPane);

/** The open file, and its editor. */
export interface CommentedFile {
  readonly path: string;
  /** Whether it can be changed; a past moment cannot. */
  readonly live: boolean;
  readonly view: EditorView;
}

/**
 * Renders the comments below the editor, from the bar above it: the component that renders both is part of the
 * first view, which stays small.
 */
export function CommentsBelow({ path, live }: Omit<CommentedFile, "view">) {
  const page = usePage();
  const place = useRef<HTMLSpanElement>(null);
  const editor = openEditor.value;
  const view = editor?.path === path ? editor.view : undefined;
  useLayoutEffect(() => {
    if (view === undefined) return undefined;
    const box = document.createElement("div");
    box.className = "comments-below";
    place.current?.closest(".editor-pane")?.append(box);
    const file = { path, live, view };
    render(
      <CurrentPage.Provider value={page}>
        <FileComments {...file} />
      </CurrentPage.Provider>,
      box,
    );
    return () => {
      render(null, box);
      box.remove();
    };
  }, [view, path, live]);
  return <span ref={place} hidden />;
}

/** The comments of the open file; not loaded for a file without comments. */
function FileComments(file: CommentedFile) {
  const { model } = usePage();
  const hasSome =
    model.live?.hasComments.value === true || model.state.value.files.has(`${file.path}.comments`);
  useEffect(() => {
    if (hasSome) void loadComments(model);
  }, [hasSome]);
  if (loadedComments.value === undefined || file.path.endsWith(".comments")) return null;
  return <Lazy load={pane} props={file} />;
}
