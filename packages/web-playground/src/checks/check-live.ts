import type { CheckTarget } from "@idewire/devtools/page-protocol";
import type { LinkedPage } from "../state/server-link.ts";
import type { AskRules, CheckRequest } from "./checks.ts";

const LOST = "idewire cannot be asked now: the connection is lost";
let runs = 0;

/** The editors that live, this folder's first. */
export async function listTargets({ link }: LinkedPage): Promise<readonly CheckTarget[]> {
  const answer = await link.client?.request("live/check-targets", {}).catch(() => undefined);
  return answer?.targets ?? [];
}

/** Has idewire ask an editor over its real socket. */
export function checkLive({ link }: LinkedPage, target: string): AskRules {
  return async ({ destructive, gentle, signal, onresult, onevent }: CheckRequest) => {
    const { client } = link;
    if (client === undefined) throw new Error(LOST);
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
