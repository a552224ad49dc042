import { completeFilter } from "@idewire/devtools/trace";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";

const MAX_OPTIONS = 20;

/** The filter, and while it is typed what may follow. */
export function FilterBox() {
  const { view } = usePage();
  const [focused, setFocused] = useState(false);
  return (
    <>
      <input
        type="search"
        value={view.filter.value}
        placeholder="Filter"
        title="For example method:tools/call"
        aria-label="Filter frames"
        aria-invalid={view.rows.issue.value !== undefined}
        list="filter-options"
        data-testid="filter"
        onFocus={() => {
          setFocused(true);
          void view.rows.load();
        }}
        onBlur={() => setFocused(false)}
        onInput={(event) => {
          view.filter.value = event.currentTarget.value;
        }}
      />
      {focused && <FilterOptions />}
    </>
  );
}

function FilterOptions() {
  const { view, model } = usePage();
  const value = view.filter.value;
  return (
    <datalist id="filter-options">
      {completeFilter(value, value.length, model.index.frames)
        .slice(0, MAX_OPTIONS)
        .map(({ text, about, from }) => (
          <option key={text} value={value.slice(0, from) + text}>
            {about}
          </option>
        ))}
    </datalist>
  );
}
