import { formatRequest } from "@idewire/core";
import { type Check, CheckFailed, CheckSkipped, demand } from "../check.ts";
import { describeClose } from "../conversation.ts";
import type { ConnectAttempt } from "../port.ts";
import { type CheckScene, describe, initializeParams } from "../scene.ts";
import { mcp, measured, OPEN_DOORS, rfc } from "../sources.ts";

/** A refusal after 101 may take a moment more than what must not come at all. */
const PATIENCE_FACTOR = 4;

/** Who is let in. */
export const connChecks: readonly Check[] = [
  {
    id: "IDE-CONN-001",
    level: "must",
    rule: "An agent is let in at / with the token of the lock file and the sub-protocol mcp.",
    source: measured("Connection"),
    note: "The client never asks for another path.",
    async run(scene) {
      await scene.open();
    },
  },
  {
    id: "IDE-CONN-002",
    level: "must",
    rule: "A wrong token opens no door: HTTP 4xx, or a close with 1008 before anything is answered.",
    source: `${OPEN_DOORS}; ${measured("Connection")}`,
    hostile: true,
    run(scene) {
      // Who asks for none cannot tell a wrong one: that is the matter of the next check.
      const { discovery } = scene.port;
      if (discovery && !discovery.tokenLength) throw new CheckSkipped("the lock file has no token");
      return demandRefusal(scene, { token: "wrong" });
    },
  },
  {
    id: "IDE-CONN-003",
    level: "must",
    rule: "Without a token there is no way in either.",
    source: OPEN_DOORS,
    hostile: true,
    run: (scene) => demandRefusal(scene, { token: "missing" }),
  },
  {
    id: "IDE-CONN-004",
    level: "may",
    rule: "Who asks for another sub-protocol than mcp is turned away, or agrees to none.",
    source: rfc(6455, "4.2.2"),
    hostile: true,
    run: (scene) => demandRefusal(scene, { protocol: "idewire-check" }),
  },
  {
    id: "IDE-CONN-005",
    level: "should",
    rule: "A web page, which has an Origin, is turned away even when it knows the token.",
    source: `${OPEN_DOORS}; ${mcp("Transports, Security Warning")}`,
    hostile: true,
    note: "The client sends no Origin.",
    run: (scene) => demandRefusal(scene, { origin: "https://attacker.example" }),
  },
  {
    id: "IDE-CONN-006",
    level: "should",
    rule: "Who calls the server by a foreign host name is turned away: that is DNS rebinding.",
    source: mcp("Transports, Security Warning"),
    hostile: true,
    run: (scene) => demandRefusal(scene, { host: "attacker.example" }),
  },
  {
    id: "IDE-CONN-007",
    level: "must",
    rule: "A second agent is let in beside the first, and is answered.",
    source: measured("Reconnecting"),
    note: "After a cut the client is back in 6 ms, before the server may know that the first has gone.",
    async run(scene) {
      await scene.ready();
      const { talk } = await scene.ready();
      await talk.request("ping");
    },
  },
  {
    id: "IDE-CONN-008",
    level: "may",
    rule: "The path /mcp leads to the same door.",
    source: "docs/seeds.md, Where they contradict each other",
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
    source: measured("Reconnecting"),
    async run(scene) {
      const witness = await scene.witness();
      const crashed = await scene.ready();
      crashed.talk.say(formatRequest(77, "tools/list"));
      crashed.cut();
      await scene.wait(scene.times.quietMs);
      await witness?.talk.request("ping");
      const back = await scene.ready();
      await back.talk.request("ping");
    },
  },
  {
    id: "IDE-CONN-010",
    level: "should",
    rule: "Once a second agent is there, the first is answered still.",
    source: measured("Reconnecting"),
    note: "People run several agents in one folder; where only the newest is served, the diffs of the others are never answered.",
    async run(scene) {
      demand(await scene.servesTwo(), "only the newest agent was answered");
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
