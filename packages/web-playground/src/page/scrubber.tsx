import { usePage } from "../state/page-context.ts";

/** Moves through time: editor, tabs, pending diffs and transcript move together. */
export function Scrubber() {
  const { model } = usePage();
  model.version.value;
  const { last } = model.own.log;
  const n = model.cursor.value ?? last;
  return (
    <label class="scrubber">
      <span class="hint">Moment</span>
      <input
        type="range"
        min="1"
        max={Math.max(1, last)}
        value={n}
        data-testid="scrubber"
        aria-valuetext={`event ${n} of ${last}`}
        onInput={({ currentTarget }) => model.moveTo(Number(currentTarget.value))}
      />
    </label>
  );
}
