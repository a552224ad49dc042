// Checks whether a live editor obeys the rules that agents rely on.

export type { CheckPort, ConnectAttempt, ConnectOutcome, DiscoveryFacts } from "./port.ts";
export { formatCheckJunit } from "./report/junit.ts";
export { formatCheckMarkdown } from "./report/markdown.ts";
export { formatCheckSarif } from "./report/sarif.ts";
export { type CheckReport, type RunChecksOptions, runChecks } from "./run-checks.ts";
export type { CheckResult } from "./verdict.ts";
