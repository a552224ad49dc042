import type { CheckTarget } from "@idewire/devtools/internal";
import { type LinkedPage, NOT_CONNECTED } from "../state/server-link.ts";
import type { AskRules, CheckRequest } from "./checks.ts";

let runs = 0;

/** The running editors, this folder's first. */
export async function listTargets({ link }: LinkedPage): Promise<readonly CheckTarget[]> {
  const answer = await link.client?.request("live/check-targets", {}).catch(() => undefined);
  return answer?.targets ?? [];
}

/** Asks idewire to check an editor over its socket. */
export function checkLive({ link }: LinkedPage, target: string): AskRules {
  return async ({ destructive, gentle, signal, onresult, onevent }: CheckRequest) => {
    const { client } = link;
    if (client === undefined) throw new Error(NOT_CONNECTED);
    runs += 1;
    const run = runs;
    client.on("live/check-result", ({ events, result, ...of }) => {
      if (of.run !== run) return;
      for (const event of events) onevent(event);
      onresult(result);
    });
    const stop = (): void => {
      client.request("live/check-stop", {}).catch(() => undefined);
    };
    signal.addEventListener("abort", stop);
    return client.request("live/check", { run, target, destructive, gentle });
  };
}
