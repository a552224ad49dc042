import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, Select } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { breakpointOf, MAX_HELD_MINUTES, removeBreakpoint, setBreakpoint } from "./breakpoint.ts";
import { Field } from "./faults-dialog.tsx";

/** The most entries: the list is read by a person. */
const MAX_METHODS = 40;

/** Chooses which frames are held in transit. */
export function BreakpointDialog() {
  const { model, view } = usePage();
  const current = breakpointOf(model);
  const selected = model.own.index.of(view.selected.value ?? 0);
  const [filter, setFilter] = useState(
    current?.filter ?? (selected?.method ? `method:${selected.method} kind:${selected.kind}` : ""),
  );
  const [issue, setIssue] = useState<string | undefined>();
  const methods = new Set(model.own.index.frames.flatMap(({ method }) => method ?? []));
  const hold = (): void => {
    const wrong = setBreakpoint(model, filter);
    setIssue(wrong);
    if (wrong === undefined) view.dialog.value = undefined;
  };
  return (
    <Dialog title="Breakpoint">
      <p>
        Matching frames, and the frames behind them, are held until you edit, release or drop them.
        After {MAX_HELD_MINUTES} minutes a frame is released unchanged. The agent waits one minute
        for an answer, and longer only for a diff.
      </p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          hold();
        }}
      >
        <Select
          label="Method"
          value={filter}
          testid="break-method"
          options={[
            [filter, "(by filter)"] as const,
            ...[...methods]
              .slice(0, MAX_METHODS)
              .map((method) => [`method:${method}`, method] as const),
          ]}
          onselect={setFilter}
        />
        <Field label="Frames" value={filter} testid="break-filter" oninput={setFilter} />
        <button type="submit" class="primary" data-testid="break-set">
          Hold
        </button>
      </form>
      {issue !== undefined && (
        <p class="issue" role="alert">
          {issue}
        </p>
      )}
      {current && (
        <p>
          Held now: <code>{current.filter}</code>{" "}
          <Button title="Remove" run={() => removeBreakpoint(model)} />
        </p>
      )}
    </Dialog>
  );
}
