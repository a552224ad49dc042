import { firstFrom } from "@idewire/devtools/internal";
import { batch } from "@preact/signals";
import { type PageContext, usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { countOf } from "../ui/figures.ts";

/** Shows the events after one of them, up to another; those before and after are still recorded. */
function showRange({ model, view }: PageContext, after: number, upTo?: number): void {
  const { beganMs } = model;
  view.rows.chosenRange.value = { beganMs, after, ...(upTo !== undefined && { upTo }) };
}

/** Holds the lists of a live log still, or empties them. What is recorded, counted and saved stays whole. */
export function LiveRows() {
  const page = usePage();
  const { model, view } = page;
  void model.version.value;
  if (model.kind.value !== "live" || model.showsOther.value) return null;
  const { index, log } = model;
  const { after, upTo } = view.rows.range;
  const isPaused = upTo !== undefined;
  const fresh = isPaused ? index.numberOf(log.last) - index.numberOf(upTo) : 0;
  const clear = (): void =>
    batch(() => {
      showRange(page, log.last, isPaused ? log.last : undefined);
      view.selected.value = undefined;
    });
  return (
    <>
      <Button
        title={isPaused ? "Resume" : "Pause"}
        aria-pressed={isPaused}
        run={() => showRange(page, after, isPaused ? undefined : log.last)}
        data-testid="pause"
      >
        {isPaused ? "Resume" : "Pause"}
        {fresh > 0 && <span class="fresh">{fresh} new</span>}
      </Button>
      <Button title="Clear" tooltip="What was recorded stays" run={clear} data-testid="clear" />
    </>
  );
}

/** How many events were cleared from the lists, and a way back to them. */
export function ClearedRows() {
  const page = usePage();
  const { model, view } = page;
  void model.version.value;
  const { after, upTo } = view.rows.range;
  const cleared = firstFrom(model.index.events.rows, after + 1);
  if (cleared === 0) return null;
  return (
    <Button
      title={`Show ${countOf(cleared, "cleared event")}`}
      class="link"
      run={() => showRange(page, 0, upTo)}
      data-testid="cleared"
    />
  );
}
