import { countOf } from "@idewire/core/internal/base";
import { firstFrom } from "@idewire/devtools/internal";
import { batch } from "@preact/signals";
import { type PageContext, usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Ban, Pause, Play } from "../ui/icons.ts";

/** Shows the events of a range; the others are still recorded. */
function showRange({ model, view }: PageContext, after: number, upTo?: number): void {
  const { startedMs } = model;
  view.rows.chosenRange.value = { startedMs, after, ...(upTo !== undefined && { upTo }) };
}

/** Pauses or clears the lists of a live log. Recording, counts and saved traces are not affected. */
export function LiveRows() {
  const page = usePage();
  const { model, view } = page;
  void model.version.value;
  if (model.kind.value !== "live" || model.showsOtherFrames.value) return null;
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
        icon={isPaused ? Play : Pause}
        kind="icon"
        aria-pressed={isPaused}
        run={() => showRange(page, after, isPaused ? undefined : log.last)}
        data-testid="pause"
      >
        {fresh > 0 && <span class="fresh">{fresh} new</span>}
      </Button>
      <Button
        title="Clear"
        icon={Ban}
        kind="icon"
        tooltip="Clear the list; the recording is kept"
        run={clear}
        data-testid="clear"
      />
    </>
  );
}

/** The number of cleared events, and a button that shows them again. */
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
      kind="link"
      run={() => showRange(page, 0, upTo)}
      data-testid="cleared"
    />
  );
}
