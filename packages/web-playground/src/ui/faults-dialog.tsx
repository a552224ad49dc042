import {
  describeFault,
  type Fault,
  type FaultKind,
  type FaultRule,
  parseFaultPlan,
} from "@idewire/core/trace";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { useParts } from "./parts.ts";

/** A fault of each kind, with figures that show something. */
const samples: Readonly<Record<FaultKind, Fault>> = {
  delay: { kind: "delay", ms: 1500, jitterMs: 500 },
  drop: { kind: "drop" },
  duplicate: { kind: "duplicate" },
  reorder: { kind: "reorder", behind: 1 },
  truncate: { kind: "truncate", keep: 40 },
  malformed: { kind: "malformed" },
  "wrong-id": { kind: "wrong-id" },
  "missing-id": { kind: "missing-id" },
  "missing-jsonrpc": { kind: "missing-jsonrpc" },
  "wrong-type": { kind: "wrong-type" },
  oversize: { kind: "oversize", units: 100_000 },
  silence: { kind: "silence", ms: 5000 },
  close: { kind: "close", code: 1011 },
};

/** What goes wrong with frames on their way: the same seed does the same again. */
export function FaultsDialog() {
  const { session, view } = useParts();
  const [kind, setKind] = useState<FaultKind>("drop");
  const [match, setMatch] = useState("dir:out");
  const [nth, setNth] = useState("");
  const [issue, setIssue] = useState<string | undefined>();
  const plan = session.faults.value ?? { seed: 1, rules: [] };
  const change = (next: { seed: number; rules: readonly FaultRule[] }): void => {
    const parsed = parseFaultPlan(next);
    setIssue(parsed.ok ? undefined : parsed.issue);
    if (parsed.ok) session.setFaults(parsed.value.rules.length === 0 ? undefined : parsed.value);
  };
  const add = (): void => {
    const rule = { match, fault: samples[kind], ...(nth !== "" && { nth: Number(nth) }) };
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
            onChange={({ currentTarget }) => setKind(currentTarget.value as FaultKind)}
          >
            {Object.values(samples).map((fault) => (
              <option key={fault.kind} value={fault.kind}>
                {describeFault(fault)}
              </option>
            ))}
          </select>
        </label>
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
      {plan.rules.length === 0 && <p class="empty">Nothing goes wrong yet.</p>}
    </Dialog>
  );
}
