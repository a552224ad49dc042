import { formatRequest } from "../../rpc/message.ts";
import { type Check, CheckFailed, demand } from "../check.ts";
import { describeClose } from "../conversation.ts";
import type { ConnectAttempt } from "../port.ts";
import { type CheckScene, describe, initializeParams } from "../scene.ts";
import { cli, seed } from "../sources.ts";

/** A refusal after 101 may take a moment more than what must not come at all. */
const PATIENCE_FACTOR = 4;

/** Who is let in. */
export const connChecks: readonly Check[] = [
  {
    id: "IDE-CONN-001",
    level: "must",
    rule: "An agent is let in at / with the token of the lock file and the sub-protocol mcp.",
    source: cli("1, fact 1; 3"),
    note: "Seed 002 has the path /mcp; the real client never asks for it.",
    async run(scene) {
      await scene.open();
    },
  },
  {
    id: "IDE-CONN-002",
    level: "must",
    rule: "A wrong token opens no door: HTTP 4xx, or a close with 1008 before anything is answered.",
    source: `${seed("Connection Sequence")}; ${cli("3")}`,
    run: (scene) => demandRefusal(scene, { token: "wrong" }),
  },
  {
    id: "IDE-CONN-003",
    level: "must",
    rule: "Without a token there is no way in either.",
    source: seed("Connection Sequence"),
    run: (scene) => demandRefusal(scene, { token: "missing" }),
  },
  {
    id: "IDE-CONN-004",
    level: "should",
    rule: "Who asks for another sub-protocol than mcp is turned away.",
    source: seed("WebSocket Subprotocol"),
    run: (scene) => demandRefusal(scene, { protocol: "idewire-check" }),
  },
  {
    id: "IDE-CONN-005",
    level: "should",
    rule: "A web page, which has an Origin, is turned away even when it knows the token.",
    source: cli("3: the real client sends no Origin"),
    run: (scene) => demandRefusal(scene, { origin: "https://attacker.example" }),
  },
  {
    id: "IDE-CONN-006",
    level: "should",
    rule: "Who calls the server by a foreign host name is turned away: that is DNS rebinding.",
    source: "MCP 2025-11-25, Transports, Security Warning",
    run: (scene) => demandRefusal(scene, { host: "attacker.example" }),
  },
  {
    id: "IDE-CONN-007",
    level: "must",
    rule: "A second agent is let in beside the first, and both are answered.",
    source: cli("3, reconnect"),
    note: "After a cut the client is back in 6 ms, before the server may know that the first has gone.",
    async run(scene) {
      const first = await scene.ready();
      const second = await scene.ready();
      await second.talk.result("ping");
      await first.talk.result("ping");
    },
  },
  {
    id: "IDE-CONN-008",
    level: "may",
    rule: "The path /mcp leads to the same door.",
    source: seed("Endpoint"),
    async run(scene) {
      const outcome = await scene.knock({ path: "/mcp" });
      demand(outcome.kind === "open", describe(outcome));
      await outcome.talk.result("initialize", initializeParams());
    },
  },
  {
    id: "IDE-CONN-009",
    level: "must",
    rule: "An agent that crashes takes nobody with it: others are served, and it can come back.",
    source: cli("3, reconnect"),
    async run(scene) {
      const witness = await scene.ready();
      const crashed = await scene.ready();
      crashed.talk.say(formatRequest(77, "tools/list"));
      crashed.cut();
      await scene.wait(scene.times.quietMs);
      await witness.talk.result("ping");
      const back = await scene.ready();
      await back.talk.result("ping");
    },
  },
];

/** Whoever is let in with 101 first must be closed, and not answered. */
async function demandRefusal(
  scene: CheckScene,
  attempt: ConnectAttempt,
): Promise<string | undefined> {
  const outcome = await scene.knock(attempt);
  if (outcome.kind === "refused") {
    demand(outcome.status >= 400 && outcome.status < 500, `HTTP ${outcome.status}`);
    return `HTTP ${outcome.status}`;
  }
  // The upgrade went through, without what an agent needs of it: nobody gets in this way.
  if (outcome.kind !== "open") return outcome.message;
  const { talk } = outcome;
  talk.say(formatRequest("stranger", "initialize", initializeParams()));
  const isAnswer = () => talk.heard.find(({ message }) => "result" in message);
  const answer = await talk.waitFor(isAnswer, scene.times.quietMs * PATIENCE_FACTOR);
  if (answer !== undefined) throw new CheckFailed("it was let in, and initialize was answered");
  demand(talk.closed !== undefined, "it was let in and kept");
  return `closed ${describeClose(talk.closed)}`;
}
