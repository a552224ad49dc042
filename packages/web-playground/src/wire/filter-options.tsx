import { completeFilter } from "@idewire/devtools/trace";
import { usePage } from "../state/page-context.ts";

const MAX_OPTIONS = 20;

/** What may follow in the filter as it is typed so far. */
export function FilterOptions() {
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
