import type { Range } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import { loadComments, loadedComments } from "../comments/load-comments.ts";
import { usePage } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { AtSign, MessageSquare, Save, X } from "../ui/icons.ts";
import { CommentsBelow } from "./file-comments.tsx";

/** The actions of the open file. */
export function FileActions({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { model } = usePage();
  const { actions } = model;
  const { selection, unsaved } = model.state.value;
  const range = selection?.path === path ? selection.range : undefined;
  const lines = range && selectedLines(range);
  return (
    <>
      <span class="path">
        <ForeignText text={path} />
      </span>
      <Button
        title={lines === undefined ? "Mention file" : describeLines(lines)}
        icon={AtSign}
        when={() => live}
        needsConnection
        run={() => actions?.mention(path, lines)}
        data-testid="mention"
      />
      <Button
        title="Save"
        icon={Save}
        kind="icon"
        when={() => live && unsaved.has(path)}
        needsConnection
        run={() => actions?.save(path)}
      />
      <Button
        title="Close"
        icon={X}
        kind="icon"
        when={() => live}
        needsConnection
        run={() => actions?.close(path)}
      />
      {!path.endsWith(".comments") && <CommentsButton model={model} />}
      <CommentsBelow path={path} live={live} />
    </>
  );
}

interface Lines {
  readonly start: number;
  readonly end: number;
}

/** The lines with selected characters; undefined for a cursor. */
function selectedLines({ start, end }: Range): Lines | undefined {
  if (start.line === end.line) {
    return start.character === end.character ? undefined : { start: start.line, end: end.line };
  }
  // A line selected whole ends where the next one starts.
  return { start: start.line, end: end.character === 0 ? end.line - 1 : end.line };
}

function describeLines({ start, end }: Lines): string {
  return start === end ? `Mention line ${start + 1}` : `Mention lines ${start + 1} to ${end + 1}`;
}

/** Opens the list of comments; shows how many the file has. */
function CommentsButton({ model }: { readonly model: PageModel }) {
  const comments = loadedComments.value;
  const count = comments?.shown.value.length ?? 0;
  return (
    <Button
      title="Comments"
      icon={MessageSquare}
      kind="icon"
      class="comments-button"
      aria-expanded={comments?.isOpen.value === true}
      data-testid="comments"
      run={() => void loadComments(model).then((loaded) => loaded.toggle())}
    >
      {count > 0 && (
        <span class="count" role="img" aria-label={countOf(count, "comment")}>
          {count}
        </span>
      )}
    </Button>
  );
}
