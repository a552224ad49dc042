import { AtSign, MessageSquare, Save, X } from "lucide";
import { loadComments, loadedComments } from "../comments/load-comments.ts";
import { usePage } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import { Button } from "../ui/controls.tsx";
import { countOf } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { CommentsBelow } from "./file-comments.tsx";

/** The actions of the open file. */
export function FileActions({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { model } = usePage();
  const { actions } = model;
  const { selection, unsaved } = model.state.value;
  const canAct = live && model.isReachable;
  const range = selection?.path === path ? selection.range : undefined;
  const isSelected = range !== undefined && range.start.line !== range.end.line;
  const mention = (): void => {
    const lines = isSelected ? { start: range.start.line, end: range.end.line } : undefined;
    actions?.mention(path, lines);
  };
  return (
    <>
      <span class="path">
        <ForeignText text={path} />
      </span>
      <Button
        title={isSelected ? "Mention lines" : "Mention file"}
        icon={AtSign}
        when={() => canAct}
        run={mention}
        data-testid="mention"
      />
      <Button
        title="Save"
        icon={Save}
        kind="icon"
        when={() => !(!canAct || !unsaved.has(path))}
        run={() => actions?.save(path)}
      />
      <Button
        title="Close"
        icon={X}
        kind="icon"
        when={() => canAct}
        run={() => actions?.close(path)}
      />
      {!path.endsWith(".comments") && <CommentsButton model={model} />}
      <CommentsBelow path={path} live={live} />
    </>
  );
}

/** Opens the list of comments; shows how many the file has. */
function CommentsButton({ model }: { readonly model: PageModel }) {
  const comments = loadedComments.value;
  const count = comments?.shown.value.length ?? 0;
  return (
    <Button
      title="Comments"
      icon={MessageSquare}
      class="comments-button"
      aria-expanded={comments?.isOpen.value === true}
      data-testid="comments"
      run={() => void loadComments(model).then((loaded) => loaded.toggle())}
    >
      Comments
      {count > 0 && (
        <span class="count" role="img" aria-label={countOf(count, "comment")}>
          {count}
        </span>
      )}
    </Button>
  );
}
