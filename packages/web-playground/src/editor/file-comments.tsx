import { useEffect } from "preact/hooks";
import { loadComments } from "../comments/load-comments.ts";
import type { LoadedComments } from "../state/comments.ts";
import { usePage } from "../state/page-context.ts";
import { Later } from "../ui/later.tsx";
import type { CodeEditor } from "./code-editor.ts";

const pane = () => import("../comments/comments-pane.tsx").then(({ CommentsPane }) => CommentsPane);

/** The open file, and its editor. */
export interface CommentedFile {
  readonly path: string;
  /** Whether it can be changed: a moment of the past can not. */
  readonly live: boolean;
  readonly editor: CodeEditor;
}

/** The comments of the open file; nothing of them is loaded for a file that has none. */
export function FileComments(file: CommentedFile) {
  const { editor } = file;
  const { model } = usePage();
  const hasSome =
    model.live?.hasComments.value === true || model.state.value.files.has(`${file.path}.comments`);
  useEffect(() => {
    if (hasSome) void loadComments(model);
  }, [hasSome]);
  useEffect(() => {
    const { dom } = editor.view;
    const onkey = (event: KeyboardEvent): void => {
      const act = actOf(event);
      if (act === undefined) return;
      event.preventDefault();
      void loadComments(model).then(act);
    };
    dom.addEventListener("keydown", onkey);
    return () => dom.removeEventListener("keydown", onkey);
  }, [editor]);
  if (model.comments.value === undefined || file.path.endsWith(".comments")) return null;
  return <Later load={pane} sent={file} />;
}

/** What a key of the editor does with comments, before they are loaded as well. */
function actOf(event: KeyboardEvent): ((comments: LoadedComments) => void) | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key !== "F9") return undefined;
  if (altKey) return (comments) => comments.step(shiftKey ? -1 : 1);
  return ctrlKey || metaKey ? (comments) => comments.commentHere() : undefined;
}
