import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";

/** What can be done with the open file. */
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
      <Button disabled={!canAct} onClick={mention} data-testid="mention">
        {isSelected ? "Mention lines" : "Mention file"}
      </Button>
      <Button disabled={!canAct || !unsaved.has(path)} onClick={() => actions?.save(path)}>
        Save
      </Button>
      <Button disabled={!canAct} onClick={() => actions?.close(path)}>
        Close
      </Button>
    </>
  );
}
