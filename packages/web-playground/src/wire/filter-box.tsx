import { completeFilter } from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { Bookmark } from "../ui/icons.ts";
import { LiveRows } from "./live-rows.tsx";
import { savedFilters } from "./saved-filters.ts";

const MAX_OPTIONS = 20;

/** The filter with its completions. */
export function FilterBox() {
  const { view } = usePage();
  const [focused, setFocused] = useState(false);
  const isWrong = view.rows.issue.value !== undefined;
  return (
    <>
      <input
        type="search"
        value={view.filter.value}
        placeholder="Filter"
        title="For example method:tools/call, or a text or /regex/ in the frame"
        aria-label="Filter frames"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "filter-issue" : undefined}
        list="filter-options"
        id="filter"
        data-testid="filter"
        onFocus={() => {
          setFocused(true);
          void view.rows.load();
        }}
        onBlur={() => setFocused(false)}
        onInput={({ currentTarget }) => {
          // The name of a saved filter may have been chosen.
          const saved = savedFilters.value.find(
            ({ name }) => currentTarget.value === optionOf(name),
          );
          if (saved !== undefined) currentTarget.value = saved.filter;
          view.filter.value = currentTarget.value;
        }}
      />
      {focused && <FilterOptions />}
      <Button
        title="Saved filters"
        icon={Bookmark}
        kind="icon"
        tooltip="Save this filter, or choose a saved one"
        run={set(view.dialog, "filters")}
        data-testid="saved-filters"
      />
      <LiveRows />
    </>
  );
}

function optionOf(name: string): string {
  return `saved: ${name}`;
}

function FilterOptions() {
  const { view, model } = usePage();
  const value = view.filter.value;
  return (
    <datalist id="filter-options">
      {savedFilters.value.map(({ name, filter }) => (
        <option key={name} value={optionOf(name)}>
          {filter}
        </option>
      ))}
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

/** The error of a filter that cannot be parsed or takes too long; all frames are shown then. */
export function FilterIssueLine() {
  const { view } = usePage();
  const found = view.rows.issue.value;
  if (found === undefined) return null;
  const { issue, place } = found;
  const wrong = view.filter.value.slice(place.from, place.to);
  // The part that is wrong begins with its key; so does the issue of its value.
  const key = `${wrong.slice(0, wrong.indexOf(":"))}: `;
  return (
    <p class="issue" role="status" id="filter-issue" data-testid="filter-issue">
      {wrong !== "" && (
        <>
          <code>{wrong}</code>
          {wrong.endsWith(":") ? " " : ": "}
        </>
      )}
      {issue.startsWith(key) ? issue.slice(key.length) : issue}. All frames are shown.
    </p>
  );
}
