import { moveTo, shownNumberOf } from "../state/moments.ts";
import { usePage } from "../state/page-context.ts";

/** Moves through time: editor, tabs, pending diffs and transcript move together. */
export function Scrubber() {
  const { model } = usePage();
  void model.version.value;
  const { count } = model.own.index;
  const number = shownNumberOf(model);
  return (
    <label class="scrubber">
      <span class="hint">Moment</span>
      <input
        type="range"
        min="1"
        max={Math.max(1, count)}
        value={number}
        data-testid="scrubber"
        aria-valuetext={`event ${number} of ${count}`}
        onInput={({ currentTarget }) => moveTo(model, Number(currentTarget.value))}
      />
    </label>
  );
}
