// Checks whether a live editor keeps the rules that agents rely on.

export type { SarifLevel, SarifLog, SarifResult, SarifRule } from "../sarif.ts";
export { formatSarif } from "../sarif.ts";
export { checks } from "./checks.ts";
export type { CheckTimes } from "./context.ts";
export type { CheckPort, ConnectAttempt, ConnectOutcome, DiscoveryFacts } from "./port.ts";
export type { CheckCounts } from "./report/count.ts";
export { countChecks, summariseChecks } from "./report/count.ts";
export { cutEvent, evidenceOf } from "./report/evidence.ts";
export { formatCheckJunit } from "./report/junit.ts";
export { formatCheckCatalogue, formatCheckMarkdown } from "./report/markdown.ts";
export type { SarifTool } from "./report/sarif.ts";
export { formatCheckSarif } from "./report/sarif.ts";
export type { CheckReport, RunChecksOptions } from "./run-checks.ts";
export { runChecks } from "./run-checks.ts";
export type { CheckFacts, CheckGroup, CheckLevel, CheckResult, CheckVerdict } from "./verdict.ts";
export { checkGroups, groupOf } from "./verdict.ts";
