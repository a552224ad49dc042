import { describeValue, isObject } from "@idewire/core/internal";
import type { TraceEvent } from "../../../trace/format/trace-event.ts";
import type { Check } from "../../check.ts";
import { isAnswer } from "../../check-connection.ts";
import type { CheckContext } from "../../context.ts";
import { findEventFault } from "../../list/rpc.ts";
import { jsonRpc, mcp } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { describeAnswer } from "../checked-server.ts";

/** Checks of the messages of a server, whatever it serves. */
export const messageChecks: readonly Check[] = [
  {
    id: "MCP-MSG-001",
    level: "must",
    rule: "An unknown method is answered with the error -32601.",
    source: `${mcp("Basic")}; ${jsonRpc("5.1")}`,
    async run(context) {
      const session = await context.server.session(context);
      const answer = await session.request("idewire/nothing");
      demand(
        codeOf(answer.message.error) === -32601,
        `it was answered with ${describeAnswer(answer)}`,
      );
    },
  },
  {
    id: "MCP-MSG-002",
    level: "must",
    rule: "An answer has the id of its request, of the same type: 0, a number or a string.",
    source: `${mcp("Basic")}; ${jsonRpc("5")}`,
    async run(context) {
      const session = await context.server.session(context);
      const { connection } = session;
      const method = session.era === "legacy" ? "ping" : "server/discover";
      for (const id of [0, 1_000_041, "1000041", "✻ a-b"]) {
        await connection.request(method, session.params(), id);
      }
    },
  },
  {
    id: "MCP-MSG-003",
    level: "must",
    era: "legacy",
    rule: "Notifications, known or not, are not answered.",
    source: `${mcp("Basic")}; ${jsonRpc("4.1")}`,
    async run(context) {
      const session = await context.server.session(context, "legacy");
      const { connection } = session;
      const before = connection.received.length;
      connection.notify("notifications/idewire-nothing", { a: 1 });
      connection.notify("notifications/roots/list_changed");
      await session.settle();
      await context.wait(context.times.quietMs);
      const answers = connection.received.slice(before).filter(isAnswer);
      demand(answers.length === 1, `${answers.length - 1} of 2 were answered`);
    },
  },
  {
    id: "MCP-MSG-004",
    level: "must",
    era: "legacy",
    rule: "ping is answered with an empty result.",
    source: mcp("Utilities, Ping"),
    async run(context) {
      const session = await context.server.session(context, "legacy");
      const { result } = await session.result("ping");
      const members = Object.keys(result).filter((name) => name !== "_meta");
      demand(members.length === 0, `the result has ${members.join(", ")}`);
    },
  },
  {
    id: "MCP-MSG-005",
    level: "must",
    era: "legacy",
    rule: "Cancelling a request that is answered already, or that never was, changes nothing.",
    source: mcp("Utilities, Cancellation"),
    async run(context) {
      const session = await context.server.session(context, "legacy");
      const { message } = await session.request("ping");
      const { connection } = session;
      const before = connection.received.length;
      for (const requestId of [message.id, 987_654_321]) {
        connection.notify("notifications/cancelled", { requestId, reason: "check" });
      }
      await session.settle();
      await context.wait(context.times.quietMs);
      const answers = connection.received.slice(before).filter(isAnswer);
      demand(answers.length === 1, `${answers.length - 1} of 2 were answered`);
    },
  },
  {
    id: "MCP-MSG-006",
    level: "must",
    rule: "Requests sent back to back are each answered once, in any order.",
    source: `${mcp("Basic")}; ${jsonRpc("5")}`,
    async run(context) {
      const session = await context.server.session(context);
      const { connection } = session;
      const method = session.era === "legacy" ? "ping" : "server/discover";
      const ids = Array.from({ length: 20 }, () => connection.nextId());
      const before = connection.received.length;
      await Promise.all(ids.map((id) => connection.request(method, session.params(), id)));
      await context.wait(context.times.quietMs);
      const answers = connection.received.slice(before).filter(isAnswer);
      for (const id of ids) {
        const count = answers.filter(({ message }) => message.id === id).length;
        demand(count === 1, `${id} was answered ${count} times`);
      }
    },
  },
  {
    id: "MCP-MSG-007",
    level: "should",
    rule: "A request whose params lack what its method needs is answered with an error, best -32602.",
    source: `${mcp("Tools, Error Handling")}; ${jsonRpc("5.1")}`,
    async run(context) {
      const session = await context.server.session(context);
      const wanted = { tools: "tools/call", prompts: "prompts/get", resources: "resources/read" };
      const declared = Object.entries(wanted).filter(([name]) => session.declares(name));
      if (declared.length === 0) throw new CheckSkipped("it declares nothing that has parameters");
      for (const [, method] of declared) {
        const answer = await session.request(method);
        const isRefused = answer.message.error !== undefined;
        demand(isRefused, `${method} without params was answered with ${describeAnswer(answer)}`);
      }
    },
  },
  {
    id: "MCP-MSG-008",
    level: "should",
    era: "legacy",
    hostile: true,
    rule: "Invalid JSON, values other than objects and invalid requests do not end the connection.",
    source: jsonRpc("5.1"),
    async run(context) {
      const session = await context.server.session(context, "hostile");
      for (const frame of ["{nope", '"ping"', "null", "42", '{"half":']) {
        session.connection.send(frame);
      }
      await session.settle();
    },
  },
];

/** Checks every frame that the other checks have received. */
export const everyServerFrameCheck: Check = {
  id: "MCP-FRAME-001",
  level: "must",
  rule: 'Every message of the server is one of JSON-RPC 2.0: "jsonrpc" is "2.0", and an answer has either a result or an error.',
  source: `${mcp("Basic")}; ${jsonRpc("4, 5")}`,
  async run(context) {
    const frames = receivedIn(context);
    if (frames.length === 0) throw new CheckSkipped("the server has sent nothing");
    for (const event of frames) {
      // Lines that are not JSON are those of MCP-FRAME-002.
      const fault = isJson(event.raw) ? findEventFault(event) : undefined;
      if (fault !== undefined) context.cite(event.n);
      demand(fault === undefined, `frame ${event.n}: ${fault}`);
    }
  },
};

/** Checks that a program writes nothing else. */
export const stdoutCheck: Check = {
  id: "MCP-FRAME-002",
  level: "must",
  over: "stdio",
  rule: "Nothing but messages is written to stdout, one in each line.",
  source: mcp("Transports, stdio"),
  note: "A log belongs to stderr; many clients end the connection at the first other line.",
  async run(context) {
    const noise = receivedIn(context).find(({ raw }) => !isJson(raw));
    if (noise !== undefined) context.cite(noise.n);
    demand(noise === undefined, `it wrote ${describeValue(noise?.raw)}`);
  },
};

/** The frames of the server, without those that answer malformed ones. */
export function receivedIn({
  run,
}: CheckContext): readonly Extract<TraceEvent, { readonly ev: "frame" }>[] {
  return run.log.events.flatMap((event) => {
    const isOwn = event.ev === "frame" && event.dir === "ide>agent";
    return isOwn && !run.hostileChannels.has(event.ch) ? [event] : [];
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The code of an error; undefined for anything else. */
export function codeOf(error: unknown): unknown {
  return isObject(error) ? error["code"] : undefined;
}
