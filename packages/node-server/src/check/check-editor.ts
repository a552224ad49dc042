import {
  type CheckReport,
  type CheckResult,
  type CheckTimes,
  runChecks,
} from "@idewire/core/checks";
import { openCheckPort } from "./check-port.ts";
import type { CheckTarget } from "./find-target.ts";

/** How an editor is checked. */
export interface CheckEditorOptions {
  /** The checks to run, by their ids; all when left out. */
  readonly only?: readonly string[];
  /** Also what shows the person a diff, or closes what is theirs. */
  readonly destructive?: boolean;
  /** A check that takes longer has failed; 10,000 when left out. */
  readonly deadlineMs?: number;
  /** How long the editor may take, and how long it is watched. */
  readonly times?: Partial<CheckTimes>;
  /** Each verdict, as soon as it is there. */
  readonly onresult?: (result: CheckResult) => void;
  /** Aborted, every connection is cut, and what has not begun is skipped. */
  readonly signal?: AbortSignal;
}

/** Asks a live editor whether it keeps the rules that agents rely on. No connection outlives it. */
export async function checkEditor(
  target: CheckTarget,
  options: CheckEditorOptions = {},
): Promise<CheckReport> {
  const port = await openCheckPort(target);
  const cut = () => port.close();
  options.signal?.addEventListener("abort", cut, { once: true });
  try {
    return await runChecks({ ...options, port });
  } finally {
    options.signal?.removeEventListener("abort", cut);
    port.close();
  }
}
