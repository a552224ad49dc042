import {
  describeFault,
  type FaultKind,
  type FaultPlan,
  parseFaultPlan,
} from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, Select, set } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useDialogAction } from "../ui/dialog-action.ts";
import { applyFaults } from "./breakpoint.ts";
import { addressOfFaults } from "./fault-link.ts";
import { faultSamples } from "./fault-samples.ts";

const kinds = (Object.keys(faultSamples) as FaultKind[]).map(
  (kind) => [kind, kind.replaceAll("-", " ")] as const,
);

/** The faults on the wire; the same seed reproduces the same faults. */
export function FaultsDialog() {
  const { model, view } = usePage();
  const [output, setOutput] = useState("");
  const [issue, setIssue] = useState<string | undefined>();
  const plan = model.faults.value ?? { seed: 1, rules: [] };
  const change = (next: FaultPlan): void => {
    const parsed = parseFaultPlan(next);
    setIssue(parsed.ok ? undefined : parsed.issue);
    if (!parsed.ok) return;
    const { value } = parsed;
    applyFaults(model, value.rules.length === 0 ? undefined : value);
  };
  const copyFaultLink = (): void => {
    copyText(addressOfFaults(plan));
    setOutput("Copied: a link that opens this page with these faults.");
  };
  const changeToken = (): void => {
    model.simulation?.restart("new");
    setOutput("The token has changed: the next connection will be refused once.");
  };
  useDialogAction({ changeToken, ...(plan.rules.length > 0 && { copyFaultLink }) });
  return (
    <Dialog title="Faults">
      <p>Faults apply to the frames that match, in the order of the list. Time is virtual.</p>
      <FaultForm plan={plan} change={change} />
      {issue !== undefined && (
        <p class="issue" role="alert">
          {issue}
        </p>
      )}
      <FaultRules plan={plan} change={change} />
      <div class="bar actions">
        <Button
          title="Copy a link with these faults"
          data-testid="fault-link"
          when={() => plan.rules.length !== 0}
          run={copyFaultLink}
        />
        <Button title="Change the token" data-testid="change-token" run={changeToken} />
        <Button title="Breakpoint" run={set(view.dialog, "breakpoint")} />
      </div>
      <p role="status" class="output">
        {output}
      </p>
    </Dialog>
  );
}

interface PlanProps {
  readonly plan: FaultPlan;
  readonly change: (next: FaultPlan) => void;
}

/** Adds a fault, and changes the seed. */
function FaultForm({ plan, change }: PlanProps) {
  const [kind, setKind] = useState<FaultKind>("drop");
  const [match, setMatch] = useState("dir:out");
  const [nth, setNth] = useState("");
  const [figure, setFigure] = useState("0");
  const sample = faultSamples[kind];
  const choose = (next: FaultKind): void => {
    setKind(next);
    setFigure(String(faultSamples[next].figure?.start ?? 0));
  };
  const add = (): void => {
    const fault = sample.make(Number(figure));
    const rule = { match, fault, ...(nth !== "" && { nth: Number(nth) }) };
    change({ ...plan, rules: [...plan.rules, rule] });
  };
  return (
    <div class="form">
      <Select label="Fault" value={kind} options={kinds} testid="fault-kind" onselect={choose} />
      {sample.figure !== undefined && (
        <Field
          {...{ label: sample.figure.name, min: 0, testid: "fault-figure" }}
          value={figure}
          oninput={setFigure}
        />
      )}
      <Field label="Frames" value={match} testid="fault-match" oninput={setMatch} />
      <Field label="Only match number" min={1} value={nth} hint="all" oninput={setNth} />
      <Field
        {...{ label: "Seed", min: 0 }}
        value={String(plan.seed)}
        oninput={(seed) => change({ ...plan, seed: Number(seed) })}
      />
      <Button title="Add" kind="primary" run={add} data-testid="fault-add" />
    </div>
  );
}

/** The faults, each of which can be removed. */
function FaultRules({ plan, change }: PlanProps) {
  const { rules } = plan;
  return (
    <>
      <ul class="rules">
        {rules.map((rule, at) => (
          <li key={`${at} ${rule.match}`}>
            <b>{describeFault(rule.fault)}</b> for <code>{rule.match || "every frame"}</code>
            {rule.nth !== undefined && `, number ${rule.nth}`}
            <Button
              title="Remove"
              run={() => change({ ...plan, rules: rules.filter((one) => one !== rule) })}
            />
          </li>
        ))}
      </ul>
      {rules.length === 0 && <p class="hint">No faults yet</p>}
    </>
  );
}

interface FaultFieldProps {
  readonly label: string;
  readonly value: string;
  /** The minimum, for a number. */
  readonly min?: number;
  /** The placeholder. */
  readonly hint?: string;
  readonly testid?: string;
  readonly oninput: (value: string) => void;
}

/** One value of a fault. */
export function Field({ label, value, min, hint, testid, oninput }: FaultFieldProps) {
  return (
    <label>
      {label}
      <input
        {...(min === undefined ? {} : { type: "number", min })}
        value={value}
        placeholder={hint}
        data-testid={testid}
        onInput={({ currentTarget }) => oninput(currentTarget.value)}
      />
    </label>
  );
}
