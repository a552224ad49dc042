import { formatJunit } from "@idewire/devtools/internal";
import type { ScenarioReport, StepResult } from "@idewire/devtools/scenario";
import { failureLines } from "./report-lines.ts";

/** The report as JUnit XML: a suite with a case for each step. */
export function formatScenarioJunit({ name, ms, steps, failure }: ScenarioReport): string {
  const words = failure === undefined ? [] : failureLines(failure).map(({ text }) => text);
  const body = words.join("\n");
  const cases = steps.map((step) => ({
    group: name,
    name: `${step.line}: ${step.title}`,
    ms: step.ms,
    outcome: outcomeOf(step, body),
  }));
  return formatJunit({ name, ms, cases });
}

function outcomeOf({ outcome }: StepResult, body: string) {
  if (outcome === "met") return { kind: "passed" } as const;
  if (outcome === "not-reached") return { kind: "skipped" } as const;
  const [first = ""] = body.trim().split("\n");
  return { kind: "failed", message: first.trim(), body } as const;
}
