import { expect } from "vitest";
import type { AgentContext } from "./agent-context.ts";

/** A step in the output of `doctor --json`. */
export interface Step {
  readonly id: string;
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
  readonly advice?: readonly string[];
}

/** The doctor's report, with the fault and the advice of the first failed step. */
export interface Report {
  readonly code: number;
  readonly ok: boolean;
  /** The first failed step. */
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
