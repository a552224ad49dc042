import { showHiddenInLine } from "@idewire/core/internal";
import type { CheckTarget } from "@idewire/devtools/internal";
import { useEffect, useState } from "preact/hooks";
import { useCommands } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Button, Select } from "../ui/controls.tsx";
import { checkLive, listTargets } from "./check-live.ts";
import { checkSimulation } from "./check-simulation.ts";
import type { EditorChecks } from "./checks.ts";
import { type CheckedEditor, type ReportForm, reportForms, saveReport } from "./save-report.ts";

/** Chooses the editor and the options of a check, and saves the report. */
export function ChecksBar({ checks }: { readonly checks: EditorChecks }) {
  const { model } = usePage();
  const live = model.inspector ?? model.live;
  const [targets, setTargets] = useState<readonly CheckTarget[]>([]);
  const [target, setTarget] = useState<string | undefined>();
  const [options, setOptions] = useState({ destructive: false, gentle: false });
  const status = live?.link.status.value;
  const running = checks.running.value;
  useEffect(() => {
    // The focus stays on the tab.
    if (document.activeElement?.role !== "tab") document.getElementById("run-checks")?.focus();
  }, []);
  useEffect(() => {
    if (live !== undefined && status === "connected") void listTargets(live).then(setTargets);
  }, [live, status, running]);
  const found = targets.find(({ id }) => id === target) ?? targets[0];
  const run = (): void => {
    if (live === undefined)
      void checks.run(checkSimulation(model), { destructive: true, gentle: false });
    else if (found !== undefined) void checks.run(checkLive(live, found.id), options);
  };
  const { name, port } = found ?? { name: "the simulated editor of the page" };
  const editor = { name, ...(port !== undefined && { port }) };
  return (
    <div class="bar checks-bar">
      {live === undefined ? (
        <span class="hint">
          The simulated editor as it is now, with its faults. The handshake is simulated, and so is
          the lock file.
        </span>
      ) : (
        <LiveOptions {...{ targets, found, running, options, setOptions }} setTarget={setTarget} />
      )}
      <span class="spring" />
      {running ? (
        <Button title="Stop" run={() => checks.stop()} data-testid="stop-checks" />
      ) : (
        <Button
          title={checks.report.value === undefined ? "Check" : "Check again"}
          kind="primary"
          domId="run-checks"
          when={() => live === undefined || found !== undefined}
          needsConnection
          run={run}
          data-testid="run-checks"
        />
      )}
      <SaveAs checks={checks} editor={editor} />
    </div>
  );
}

interface LiveOptionsProps {
  readonly targets: readonly CheckTarget[];
  readonly found: CheckTarget | undefined;
  readonly running: boolean;
  readonly setTarget: (id: string) => void;
  readonly options: CheckOptions;
  readonly setOptions: (options: CheckOptions) => void;
}

interface CheckOptions {
  readonly destructive: boolean;
  readonly gentle: boolean;
}

/** Which editor is checked, and how. */
function LiveOptions(props: LiveOptionsProps) {
  const { targets, found, running, setTarget, options, setOptions } = props;
  return (
    <>
      <Select
        label="Editor"
        value={found?.id ?? ""}
        disabled={running || targets.length === 0}
        testid="check-target"
        options={found ? targets.map((one) => [one.id, nameOf(one)]) : [["", "none found"]]}
        onselect={setTarget}
      />
      <Checkbox
        label="Also open diffs for a moment"
        checked={options.destructive}
        disabled={running}
        onchange={(destructive) => setOptions({ ...options, destructive })}
      />
      <Checkbox
        label="Skip requests that no agent sends: they can freeze an editor"
        checked={options.gentle}
        disabled={running}
        onchange={(gentle) => setOptions({ ...options, gentle })}
      />
    </>
  );
}

function nameOf({ name, port, own, folders }: CheckTarget): string {
  return showHiddenInLine(
    `${name}, port ${port}${own ? " (this folder)" : `: ${folders.join(", ")}`}`,
  );
}

function SaveAs(props: { readonly checks: EditorChecks; readonly editor: CheckedEditor }) {
  const report = props.checks.report.value;
  const save = (form: ReportForm): void => {
    if (report !== undefined) saveReport(report, form, props.editor);
  };
  useCommands(
    Object.entries(reportForms).map(([form, title]) => ({
      id: form,
      title: `Save the report: ${title}`,
      when: () => report !== undefined,
      run: () => save(form as ReportForm),
    })),
  );
  return (
    <select
      aria-label="Save the report"
      value=""
      disabled={report === undefined}
      data-testid="save-report"
      onChange={({ currentTarget }) => {
        const form = currentTarget.value as ReportForm;
        currentTarget.value = "";
        save(form);
      }}
    >
      <option value="" disabled>
        Save as
      </option>
      {Object.entries(reportForms).map(([form, title]) => (
        <option key={form} value={form}>
          {title}
        </option>
      ))}
    </select>
  );
}
