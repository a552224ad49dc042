import {
  checks as allChecks,
  type CheckFacts,
  type CheckGroup,
  type CheckVerdict,
  checkGroups,
  groupOf,
  summariseChecks,
} from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { ChoiceList } from "../ui/choice-list.tsx";
import { Select, set } from "../ui/controls.tsx";
import { CheckDetails } from "./check-details.tsx";
import { checksOf, type EditorChecks } from "./checks.ts";
import { ChecksBar } from "./checks-bar.tsx";

/** Which checks are listed. */
type ListedVerdict = "all" | CheckVerdict;

const verdicts = ["fail", "skipped", "pass"] as const;
const words: Readonly<Record<CheckVerdict, string>> = {
  pass: "passed",
  fail: "failed",
  skipped: "skipped",
};

/** Every rule that agents rely on, its verdict, and the frames as evidence. */
export function ChecksView() {
  const { model } = usePage();
  const checks = checksOf(model);
  const [shown, setShown] = useState<ListedVerdict>("all");
  const listed = allChecks.filter(({ id }) => {
    return shown === "all" || checks.results.value.get(id)?.verdict === shown;
  });
  return (
    <CommandScope.Provider value="Checks">
      <section class="checks" aria-label="Checks" data-testid="checks">
        <ChecksBar checks={checks} />
        <Summary checks={checks} shown={shown} onshow={setShown} />
        <ChoiceList
          label="Rules"
          testid="check-list"
          chosen={checks.chosen.value}
          onchoose={(id) => set(checks.chosen, id)()}
          groups={groupsOf(listed).map(([group, each]) => ({
            title: capitalise(checkGroups[group]),
            choices: each.map((facts) => ({
              id: facts.id,
              content: <Line facts={facts} checks={checks} />,
            })),
          }))}
        />
        <CheckDetails checks={checks} />
      </section>
    </CommandScope.Provider>
  );
}

function groupsOf(listed: readonly CheckFacts[]): readonly [CheckGroup, readonly CheckFacts[]][] {
  const groups = new Map<CheckGroup, CheckFacts[]>();
  for (const facts of listed) {
    const group = groupOf(facts);
    groups.set(group, [...(groups.get(group) ?? []), facts]);
  }
  return [...groups];
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Line({ facts, checks }: { readonly facts: CheckFacts; readonly checks: EditorChecks }) {
  const { verdict, level } = checks.results.value.get(facts.id) ?? {};
  return (
    <span class="check-line">
      <i class={`verdict ${verdict === "fail" && level !== "must" ? "warning" : (verdict ?? "")}`}>
        {verdict === undefined ? facts.level : words[verdict]}
      </i>
      <code>{facts.id}</code>
      <span>{facts.rule}</span>
    </span>
  );
}

interface SummaryProps {
  readonly checks: EditorChecks;
  readonly shown: ListedVerdict;
  readonly onshow: (shown: ListedVerdict) => void;
}

function Summary({ checks, shown, onshow }: SummaryProps) {
  const results = [...checks.results.value.values()];
  const count = (verdict: CheckVerdict): number => {
    return results.filter((result) => result.verdict === verdict).length;
  };
  return (
    <div class="bar checks-summary">
      <p role="status" data-testid="check-status" data-status={statusOf(checks)}>
        {checks.problem.value ?? summarise(checks)}
      </p>
      <span class="spring" />
      <Select
        label="Rules to list"
        labelClass="visually-hidden"
        value={shown}
        options={[
          ["all", `All ${allChecks.length} rules`],
          ...verdicts.map((one) => [one, `${count(one)} ${words[one]}`] as const),
        ]}
        onselect={onshow}
      />
    </div>
  );
}

function statusOf({ running, problem, report }: EditorChecks): string {
  if (running.value) return "running";
  if (problem.value !== undefined) return "problem";
  return report.value === undefined ? "idle" : report.value.ok ? "ok" : "broken";
}

function summarise({ running, report, results }: EditorChecks): string {
  if (report.value !== undefined) {
    const { ms } = report.value;
    return `${summariseChecks(report.value)}, in ${(ms / 1000).toFixed(1)} s.`;
  }
  if (running.value) return `Checking: ${results.value.size} of ${allChecks.length} rules.`;
  return "Not checked yet.";
}
