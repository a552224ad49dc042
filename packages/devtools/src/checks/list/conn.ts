import { formatRequest } from "@idewire/core/internal";
import type { Check } from "../check.ts";
import { describeClose } from "../check-connection.ts";
import { type CheckContext, describe, initializeParams } from "../context.ts";
import type { ConnectAttempt } from "../port.ts";
import { mcp, measured, OPEN_ENDPOINTS, rfc } from "../sources.ts";
import { CheckFailed, CheckSkipped, demand } from "../verdict.ts";

/** A refusal after 101 may take longer than the quiet time. */
const REFUSAL_FACTOR = 4;

/** Checks of access: which connections the server accepts. */
export const connChecks: readonly Check[] = [
  {
    id: "IDE-CONN-001",
    level: "must",
    rule: "The server accepts an agent at / with the token of the lock file and the sub-protocol mcp.",
    source: measured("Connection"),
    note: "Claude Code never asks for another path.",
    async run(context) {
      await context.open();
    },
  },
  {
    id: "IDE-CONN-002",
    level: "must",
    overHttp: true,
    rule: "A wrong token is refused: HTTP 4xx, or a close with 1008 before any answer.",
    source: `${OPEN_ENDPOINTS}; ${measured("Connection")}`,
    hostile: true,
    run(context) {
      // Without a token there is no wrong one; the next check covers that.
      const { discovery } = context.port;
      if (discovery && !discovery.tokenLength) throw new CheckSkipped("the lock file has no token");
      return demandRefusal(context, { token: "wrong" });
    },
  },
  {
    id: "IDE-CONN-003",
    level: "must",
    overHttp: true,
    rule: "A missing token is refused as well.",
    source: OPEN_ENDPOINTS,
    hostile: true,
    run: (context) => demandRefusal(context, { token: "missing" }),
  },
  {
    id: "IDE-CONN-004",
    level: "may",
    rule: "A client that asks for a sub-protocol other than mcp is refused, or gets none.",
    source: rfc(6455, "4.2.2"),
    hostile: true,
    run: (context) => demandRefusal(context, { protocol: "idewire-check" }),
  },
  {
    id: "IDE-CONN-005",
    level: "should",
    overHttp: true,
    rule: "A web page, which sends an Origin, is refused even with the right token.",
    source: `${OPEN_ENDPOINTS}; ${mcp("Transports, Security Warning")}`,
    hostile: true,
    note: "Claude Code sends no Origin.",
    run: (context) => demandRefusal(context, { origin: "https://attacker.example" }),
  },
  {
    id: "IDE-CONN-006",
    level: "should",
    overHttp: true,
    rule: "A request for a foreign host name is refused: it is a sign of DNS rebinding.",
    source: mcp("Transports, Security Warning"),
    hostile: true,
    run: (context) => demandRefusal(context, { host: "attacker.example" }),
  },
  {
    id: "IDE-CONN-007",
    level: "must",
    overHttp: true,
    rule: "A second agent can connect beside the first, and is answered.",
    source: measured("Reconnecting"),
    note: "After a lost connection Claude Code is back within 6 ms, perhaps before the server has noticed the loss.",
    async run(context) {
      await context.ready();
      const { connection } = await context.ready();
      await connection.request("ping");
    },
  },
  {
    id: "IDE-CONN-008",
    level: "may",
    rule: "The path /mcp is the same endpoint.",
    source: "docs/reference/seeds.md, Where they contradict each other",
    async run(context) {
      const outcome = await context.upgrade({ path: "/mcp" });
      demand(outcome.kind === "open", describe(outcome));
      await outcome.connection.result("initialize", initializeParams(context.port));
    },
  },
  {
    id: "IDE-CONN-009",
    level: "must",
    rule: "The crash of one agent affects no other, and the agent can reconnect.",
    source: measured("Reconnecting"),
    async run(context) {
      const secondAgent = await context.secondAgent();
      const crashed = await context.ready();
      crashed.connection.send(formatRequest(77, "tools/list"));
      crashed.cut();
      await context.wait(context.times.quietMs);
      await secondAgent?.connection.request("ping");
      const back = await context.ready();
      await back.connection.request("ping");
    },
  },
  {
    id: "IDE-CONN-010",
    level: "should",
    overHttp: true,
    rule: "The first agent is still answered after a second one has connected.",
    source: measured("Reconnecting"),
    note: "People run several agents in one folder; if only the newest is served, the diffs of the others are never answered.",
    async run(context) {
      demand(await context.servesTwo(), "only the newest agent was answered");
    },
  },
];

/** Demands a refusal by HTTP, or a close after 101 without any answer. */
async function demandRefusal(
  context: CheckContext,
  attempt: ConnectAttempt,
): Promise<string | undefined> {
  const outcome = await context.upgrade(attempt);
  if (outcome.kind === "refused") {
    demand(outcome.status >= 400 && outcome.status < 500, `HTTP ${outcome.status}`);
    return `HTTP ${outcome.status}`;
  }
  // The upgrade succeeded, but its response lacks what agents require: the connection is unusable.
  if (outcome.kind !== "open") return outcome.message;
  const { connection } = outcome;
  connection.send(formatRequest("unauthenticated", "initialize", initializeParams(context.port)));
  const isAnswer = () => connection.received.find(({ message }) => "result" in message);
  const answer = await connection.waitFor(isAnswer, context.times.quietMs * REFUSAL_FACTOR);
  if (answer !== undefined) throw new CheckFailed("it was accepted, and initialize was answered");
  demand(connection.closed !== undefined, "it was accepted and not closed");
  return `closed ${describeClose(connection.closed)}`;
}
