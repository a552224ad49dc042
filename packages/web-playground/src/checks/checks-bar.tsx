import { showHiddenInLine } from "@idewire/core";
import type { CheckTarget } from "@idewire/devtools/page-protocol";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { checkLive, listTargets } from "./check-live.ts";
import { checkSimulation } from "./check-simulation.ts";
import type { EditorChecks } from "./checks.ts";
import { type CheckedEditor, type ReportForm, reportForms, saveReport } from "./save-report.ts";

const SIMULATED = "simulated";

/** Which editor is asked, how far, and what becomes of the report. */
export function ChecksBar({ checks }: { readonly checks: EditorChecks }) {
  const { model } = usePage();
  const live = model.inspector ?? model.live;
  const [targets, setTargets] = useState<readonly CheckTarget[]>([]);
  const [target, setTarget] = useState<string | undefined>();
  const [destructive, setDestructive] = useState(false);
  const [gentle, setGentle] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const status = live?.link.status.value;
  const running = checks.running.value;
  useEffect(() => {
    // Whoever came by the tab stays there.
    if (document.activeElement?.role !== "tab") button.current?.focus();
  }, []);
  useEffect(() => {
    if (live !== undefined && status === "connected") void listTargets(live).then(setTargets);
  }, [live, status, running]);
  const found = targets.find(({ id }) => id === target) ?? targets[0];
  const run = (): void => {
    if (live === undefined)
      void checks.run(checkSimulation(model), { destructive: true, gentle: false });
    else if (found !== undefined)
      void checks.run(checkLive(live, found.id), { destructive, gentle });
  };
  const checked = found ?? { name: "the simulated editor of the page" };
  return (
    <div class="bar checks-bar">
      {live === undefined ? (
        <span class="hint">
          The simulated editor as it is now, with its faults. Its door and lock file are played.
        </span>
      ) : (
        <>
          <label>
            Editor{" "}
            <select
              value={found?.id ?? SIMULATED}
              disabled={running || targets.length === 0}
              data-testid="check-target"
              onChange={({ currentTarget }) => setTarget(currentTarget.value)}
            >
              {targets.map((each) => (
                <option key={each.id} value={each.id}>
                  {nameOf(each)}
                </option>
              ))}
              {targets.length === 0 && <option value={SIMULATED}>no editor was found</option>}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={destructive}
              disabled={running}
              onChange={({ currentTarget }) => setDestructive(currentTarget.checked)}
            />
            Also show diffs, which come and go
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={gentle}
              disabled={running}
              data-testid="check-gentle"
              onChange={({ currentTarget }) => setGentle(currentTarget.checked)}
            />
            Leave out what no agent does: it may freeze an editor
          </label>
        </>
      )}
      <span class="spring" />
      {running ? (
        <button type="button" onClick={() => checks.stop()} data-testid="stop-checks">
          Stop
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          ref={button}
          disabled={live !== undefined && found === undefined}
          onClick={run}
          data-testid="run-checks"
        >
          {checks.report.value === undefined ? "Check" : "Check again"}
        </button>
      )}
      <SaveAs checks={checks} editor={checked} />
    </div>
  );
}

function nameOf({ name, port, own, folders }: CheckTarget): string {
  return showHiddenInLine(
    `${name}, port ${port}${own ? " (this folder)" : `: ${folders.join(", ")}`}`,
  );
}

function SaveAs(props: { readonly checks: EditorChecks; readonly editor: CheckedEditor }) {
  const report = props.checks.report.value;
  const { name, port } = props.editor;
  return (
    <select
      aria-label="Save the report"
      value=""
      disabled={report === undefined}
      data-testid="save-report"
      onChange={({ currentTarget }) => {
        const form = currentTarget.value as ReportForm;
        currentTarget.value = "";
        if (report === undefined) return;
        saveReport(report, form, { name, ...(port !== undefined && { port }) });
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
