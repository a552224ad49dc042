import { expect } from "vitest";
import type { AgentContext } from "./agent-context.ts";

/** One step, as `doctor --json` tells it. */
export interface Step {
  readonly id: string;
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
  readonly advice?: readonly string[];
}

/** What the doctor says, and of the step that fails first what is wrong and what to do. */
export interface Report {
  readonly code: number;
  readonly ok: boolean;
  /** The step that fails first. */
  readonly fault?: string;
  readonly detail: string;
  readonly advice: string;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** Runs the doctor in the folder of a context. */
export async function examine(
  context: AgentContext,
  env: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const { code, output } = await context.runWith(env, "doctor", "--json");
  const report = JSON.parse(output) as Omit<Report, "code" | "detail" | "advice" | "outcomes">;
  const step = report.steps.find(({ id }) => id === report.fault);
  expect(code).toBe(report.ok ? 0 : 1);
  return {
    ...report,
    code,
    detail: step?.detail ?? "",
    advice: step?.advice?.join("\n") ?? "",
    outcomes: Object.fromEntries(report.steps.map(({ id, outcome }) => [id, outcome])),
  };
}
