import { isObject, type Peer } from "@idewire/core";
import type { CheckResult } from "@idewire/devtools/checks";
import type { TraceEvent } from "@idewire/devtools/trace";
import type { AskRules, CheckRun } from "./checks.ts";

/** An editor of this machine that may be checked. */
export interface LiveTarget {
  readonly id: string;
  readonly name: string;
  readonly port: number;
  readonly folders: readonly string[];
  /** It is the one that idewire is for this folder. */
  readonly own: boolean;
}

/** What is behind this page, which has editors checked. */
export interface Checking {
  /** The connection, while there is one. */
  readonly peer: Peer | undefined;
}

const LOST = "idewire cannot be asked now: the connection is lost";
let runs = 0;

/** The editors that live, this folder's first. */
export async function listTargets({ peer }: Checking): Promise<readonly LiveTarget[]> {
  const answer = await peer?.request("live/check-targets", {}).catch(() => undefined);
  const targets = isObject(answer) ? answer["targets"] : undefined;
  return Array.isArray(targets) ? (targets as LiveTarget[]) : [];
}

/** Has idewire ask an editor over its real socket. */
export function checkLive(live: Checking, target: string): AskRules {
  return async ({ destructive, gentle, signal, onresult, onevent }: CheckRun) => {
    const { peer } = live;
    if (peer === undefined) throw new Error(LOST);
    runs += 1;
    const run = runs;
    peer.handle("live/check-result", ({ params }) => {
      if (params?.["run"] !== run) return;
      for (const event of params["events"] as readonly TraceEvent[]) onevent(event);
      onresult(params["result"] as unknown as CheckResult);
    });
    const stop = (): void => {
      peer.request("live/check-stop", {}).catch(() => undefined);
    };
    signal.addEventListener("abort", stop);
    const answer = await peer.request("live/check", { run, target, destructive, gentle });
    if (!isObject(answer)) throw new Error("idewire has not answered");
    return { ok: answer["ok"] === true, ms: Number(answer["ms"]) };
  };
}
