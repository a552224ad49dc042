import type { ScenarioResult } from "./suite.ts";

/** The figures of a run. */
export interface Tally {
  /** Scenarios with some passed and no failed checks. */
  readonly passed: number;
  readonly total: number;
  readonly passedChecks: number;
  readonly failedChecks: number;
  /** Scenarios without checks. */
  readonly empty: readonly string[];
  readonly failed: readonly ScenarioResult[];
}

/**
 * Counts the scenarios of a run.
 * @param expected the required scenarios; by default all that ran
 */
export function tallyOf(results: readonly ScenarioResult[], expected?: readonly string[]): Tally {
  const names = expected ?? results.map(({ scenario }) => scenario);
  const found = names.map(
    (name) =>
      results.find(({ scenario }) => scenario === name) ?? {
        scenario: name,
        passed: 0,
        failures: [],
      },
  );
  const sum = (count: (result: ScenarioResult) => number) =>
    found.reduce((total, result) => total + count(result), 0);
  const failed = found.filter(({ failures }) => failures.length > 0);
  const empty = found.filter(({ passed, failures }) => passed + failures.length === 0);
  return {
    passed: found.length - failed.length - empty.length,
    total: found.length,
    passedChecks: sum(({ passed }) => passed),
    failedChecks: sum(({ failures }) => failures.length),
    empty: empty.map(({ scenario }) => scenario),
    failed,
  };
}

/** A tally as text: a summary, and a line for each fault. */
export function describeTally(title: string, tally: Tally): string {
  const { passed, total, passedChecks, failedChecks, empty, failed } = tally;
  return [
    `${title}: ${passed}/${total} scenarios, ${passedChecks} checks passed, ${failedChecks} failed`,
    ...failed.flatMap(({ scenario, failures }) => [
      `  failed: ${scenario}`,
      ...failures.map((failure) => `    ${failure}`),
    ]),
    ...empty.map((scenario) => `  checked nothing: ${scenario}`),
  ].join("\n");
}
