import type { Check } from "./check.ts";
import { connChecks } from "./list/conn.ts";
import { diagChecks } from "./list/diag.ts";
import { diffChecks } from "./list/diff.ts";
import { keepChecks, limitChecks } from "./list/keep.ts";
import { lifeChecks } from "./list/life.ts";
import { lockChecks } from "./list/lock.ts";
import { noteChecks } from "./list/note.ts";
import { everyFrameCheck, rpcChecks } from "./list/rpc.ts";
import { toolChecks } from "./list/tool.ts";

/** Every check, in the order of the catalogue. */
export const checks: readonly Check[] = [
  ...lockChecks,
  ...connChecks,
  ...lifeChecks,
  ...rpcChecks,
  ...toolChecks,
  ...diagChecks,
  ...noteChecks,
  ...keepChecks,
  ...limitChecks,
  ...diffChecks,
  everyFrameCheck,
];
