import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { deleteFilter, type SavedFilter, savedFilters, saveFilter } from "./saved-filters.ts";

/** Saves, selects and deletes filters by name. */
export function FiltersDialog() {
  const { view } = usePage();
  const use = ({ filter }: SavedFilter): void => {
    view.filter.value = filter;
    view.dialog.value = undefined;
  };
  return (
    <Dialog title="Saved filters">
      <SaveForm filter={view.filter.value.trim()} />
      <ul class="rules" aria-label="Saved filters">
        {savedFilters.value.map((saved) => (
          <li key={saved.name}>
            <Button title={saved.name} kind="link" run={() => use(saved)} />
            <code>{saved.filter}</code>
            <Button
              title={`Delete ${saved.name}`}
              aria-label={`Delete ${saved.name}`}
              run={() => deleteFilter(saved.name)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {savedFilters.value.length === 0 && <p class="hint">No saved filters yet</p>}
      <p class="hint">Saved in this browser. Choose one here, or type its name in the filter.</p>
    </Dialog>
  );
}

function SaveForm({ filter }: { readonly filter: string }) {
  const { view } = usePage();
  const [name, setName] = useState("");
  const [issue, setIssue] = useState<string | undefined>();
  if (filter === "") return <p>To save a filter, type it first.</p>;
  if (view.rows.issue.value !== undefined) {
    return (
      <p>
        The filter <code>{filter}</code> is not valid, so it cannot be saved.
      </p>
    );
  }
  return (
    <form
      class="save-filter"
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = saveFilter({ name: name.trim(), filter });
        setIssue(wrong);
        if (wrong === undefined) setName("");
      }}
    >
      <p>
        Save <code>{filter}</code> as:
      </p>
      <input
        aria-label="Name of the filter"
        value={name}
        maxLength={60}
        data-testid="filter-name"
        autofocus
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={name.trim() === ""}>
        Save
      </button>
      {issue !== undefined && (
        <p class="issue" role="alert">
          {issue}
        </p>
      )}
    </form>
  );
}
