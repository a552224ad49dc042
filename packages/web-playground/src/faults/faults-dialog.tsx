import {
  describeFault,
  FaultInjector,
  type FaultKind,
  type FaultRule,
  parseFaultPlan,
} from "@idewire/devtools/trace";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { copyText } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { addressOfFaults } from "./fault-link.ts";
import { faultSamples } from "./fault-samples.ts";

/** What goes wrong with frames on their way: the same seed does the same again. */
export function FaultsDialog() {
  const { model, view } = usePage();
  const [kind, setKind] = useState<FaultKind>("drop");
  const [match, setMatch] = useState("dir:out");
  const [nth, setNth] = useState("");
  const [figure, setFigure] = useState(0);
  const [output, setOutput] = useState("");
  const sample = faultSamples[kind];
  const choose = (next: FaultKind): void => {
    setKind(next);
    setFigure(faultSamples[next].figure?.start ?? 0);
  };
  const [issue, setIssue] = useState<string | undefined>();
  const plan = model.faults.value ?? { seed: 1, rules: [] };
  const change = (next: { seed: number; rules: readonly FaultRule[] }): void => {
    const parsed = parseFaultPlan(next);
    setIssue(parsed.ok ? undefined : parsed.issue);
    if (!parsed.ok) return;
    const { value } = parsed;
    if (value.rules.length === 0) model.setFaults(undefined, undefined);
    else model.setFaults(value, () => new FaultInjector(value));
  };
  const add = (): void => {
    const rule = { match, fault: sample.make(figure), ...(nth !== "" && { nth: Number(nth) }) };
    change({ ...plan, rules: [...plan.rules, rule] });
  };
  return (
    <Dialog
      title="Faults"
      onclose={() => {
        view.dialog.value = undefined;
      }}
    >
      <p>Frames that match get what you choose, in the order of the list. Time is virtual.</p>
      <div class="form">
        <label>
          What
          <select
            value={kind}
            data-testid="fault-kind"
            onChange={({ currentTarget }) => choose(currentTarget.value as FaultKind)}
          >
            {Object.keys(faultSamples).map((id) => (
              <option key={id} value={id}>
                {id.replaceAll("-", " ")}
              </option>
            ))}
          </select>
        </label>
        {sample.figure !== undefined && (
          <label>
            {sample.figure.name}
            <input
              type="number"
              min="0"
              value={figure}
              data-testid="fault-figure"
              onInput={({ currentTarget }) => setFigure(Number(currentTarget.value))}
            />
          </label>
        )}
        <label>
          Which frames
          <input
            value={match}
            data-testid="fault-match"
            onInput={({ currentTarget }) => setMatch(currentTarget.value)}
          />
        </label>
        <label>
          Only the nth
          <input
            type="number"
            min="1"
            value={nth}
            placeholder="every"
            onInput={({ currentTarget }) => setNth(currentTarget.value)}
          />
        </label>
        <label>
          Seed
          <input
            type="number"
            min="0"
            value={plan.seed}
            onInput={({ currentTarget }) => change({ ...plan, seed: Number(currentTarget.value) })}
          />
        </label>
        <button type="button" class="primary" onClick={add} data-testid="fault-add">
          Add
        </button>
      </div>
      {issue !== undefined && (
        <p class="issue" role="alert">
          {issue}
        </p>
      )}
      <ul class="rules">
        {plan.rules.map((rule, at) => (
          <li key={`${at} ${rule.match}`}>
            <b>{describeFault(rule.fault)}</b> for <code>{rule.match || "every frame"}</code>
            {rule.nth !== undefined && `, number ${rule.nth}`}
            <button
              type="button"
              onClick={() => change({ ...plan, rules: plan.rules.filter((one) => one !== rule) })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {plan.rules.length === 0 && <p class="hint">Nothing goes wrong yet.</p>}
      <div class="bar actions">
        <button
          type="button"
          data-testid="fault-link"
          disabled={plan.rules.length === 0}
          onClick={() => {
            copyText(addressOfFaults(plan));
            setOutput("Copied: a link that opens this page with these faults.");
          }}
        >
          Copy a link with these faults
        </button>
        <button
          type="button"
          data-testid="change-token"
          onClick={() => {
            model.simulation?.changeToken();
            setOutput("The editor has another token: the next connection is turned away, once.");
          }}
        >
          Change the token
        </button>
      </div>
      <p role="status" class="said">
        {output}
      </p>
    </Dialog>
  );
}
