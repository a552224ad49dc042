import type { Check } from "../check.ts";
import type { CheckSubject } from "../run-checks.ts";
import { CheckedServer } from "./checked-server.ts";
import { authChecks } from "./list/auth.ts";
import { callChecks } from "./list/calls.ts";
import { capChecks, initChecks } from "./list/init.ts";
import { listChecks } from "./list/lists.ts";
import { everyServerFrameCheck, messageChecks, stdoutCheck } from "./list/messages.ts";
import { modernChecks } from "./list/modern.ts";
import { readChecks } from "./list/reads.ts";
import { stdioChecks } from "./list/stdio.ts";
import { webChecks } from "./list/web.ts";

/** Every rule for MCP servers, in the order of the catalogue. */
export const serverChecks: readonly Check[] = [
  ...initChecks,
  ...capChecks,
  ...messageChecks,
  ...listChecks,
  ...callChecks,
  ...readChecks,
  ...modernChecks,
  ...stdioChecks,
  ...webChecks,
  ...authChecks,
  everyServerFrameCheck,
  stdoutCheck,
];

/** An MCP server as the subject of checks. */
export const mcpServer: CheckSubject = {
  noun: "server",
  checks: serverChecks,
  access: ["MCP-INIT-001"],
  times: { answerMs: 10_000, startMs: 30_000, quietMs: 300, noticeMs: 1_500, personMs: 0 },
  deadlineMs: 60_000,
  totalMs: 120_000,
  open: (run) => new CheckedServer(run),
};
