import { describeValue, formatRequest, isObject, isRequestId } from "@idewire/core/internal";
import type { TraceEvent } from "../../trace/format/trace-event.ts";
import type { Check } from "../check.ts";
import { describeError, isAnswer } from "../check-connection.ts";
import type { CheckContext } from "../context.ts";
import { jsonRpc, mcp, rfc } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";

const SDK_NOTE =
  "The official SDK answers 2 of 11 malformed frames; Claude Code itself skips malformed frames.";

/** Checks of the JSON-RPC envelope. */
export const rpcChecks: readonly Check[] = [
  {
    id: "IDE-RPC-001",
    level: "must",
    rule: "Frames that are not JSON, not an object or not a request do not end the connection.",
    source: `${rfc(6455, "10.7")}; ${jsonRpc("5.1")}`,
    hostile: true,
    note: "Claude Code itself skips malformed frames.",
    async run(context) {
      const { connection } = await context.ready();
      for (const frame of ["{nope", "", '"ping"', "[]", "null", "42", '{"half":'])
        connection.send(frame);
      await connection.request("ping");
    },
  },
  {
    id: "IDE-RPC-002",
    level: "should",
    hostile: true,
    rule: "A frame that is not JSON is answered with -32700 and the id null.",
    source: jsonRpc("5.1"),
    note: SDK_NOTE,
    run: (context) => demandError(context, "{nope", -32700, null),
  },
  {
    id: "IDE-RPC-003",
    level: "should",
    hostile: true,
    rule: "A message that is not a request is answered with -32600.",
    source: jsonRpc("5.1"),
    note: SDK_NOTE,
    run: (context) => demandError(context, '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600),
  },
  {
    id: "IDE-RPC-004",
    level: "must",
    rule: "An unknown method is answered with -32601.",
    source: jsonRpc("5.1"),
    run: (context) =>
      demandError(context, '{"jsonrpc":"2.0","id":7,"method":"idewire/nothing"}', -32601, 7),
  },
  {
    id: "IDE-RPC-005",
    level: "must",
    rule: "An answer has the id of its request, of the same type: 0, a number or a string.",
    source: jsonRpc("5"),
    async run(context) {
      const { connection } = await context.ready();
      for (const id of [0, 41, "41", "✻ a-b"]) {
        const before = connection.received.length;
        await connection.request("ping", undefined, id);
        const strays = connection.received.slice(before).filter(({ message }) => {
          return message.method === undefined && message.id !== id;
        });
        const seen = describeValue(strays[0]?.message.id);
        demand(strays.length === 0, `the id ${describeValue(id)} came back as ${seen}`);
      }
    },
  },
  {
    id: "IDE-RPC-006",
    level: "must",
    rule: "Notifications, known or not, are not answered.",
    source: jsonRpc("4.1"),
    async run(context) {
      const { connection } = await context.ready();
      const before = connection.received.length;
      connection.notify("idewire/nothing", { a: 1 });
      connection.notify("notifications/cancelled", { requestId: 123_456, reason: "check" });
      connection.notify("log_event", { eventName: "check", eventData: {} });
      await connection.request("ping");
      await context.wait(context.times.quietMs);
      const answers = connection.received.slice(before).filter(isAnswer);
      demand(answers.length === 1, `${answers.length - 1} of 3 were answered`);
    },
  },
  {
    id: "IDE-RPC-007",
    level: "should",
    hostile: true,
    rule: "A batch, which the revision does not support, is answered with one error or with a batch.",
    source: mcp("Key Changes since 2025-03-26"),
    async run(context) {
      const { connection } = await context.ready();
      const batch = '[{"jsonrpc":"2.0","id":"b1","method":"ping"}]';
      const answer = await connection.answerIfAny(batch, context.times.quietMs);
      demand(answer !== undefined, "it was not answered");
    },
  },
  {
    id: "IDE-RPC-008",
    level: "should",
    hostile: true,
    rule: "Params that are not an object are answered with -32602 or -32600.",
    source: jsonRpc("4.2, 5.1"),
    run: (context) =>
      demandError(
        context,
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}',
        [-32602, -32600],
      ),
  },
  {
    id: "IDE-RPC-009",
    level: "must",
    rule: "Requests sent back to back are each answered once, in any order.",
    source: jsonRpc("4, 5"),
    async run(context) {
      const { connection } = await context.ready();
      const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`);
      await Promise.all(ids.map((id) => connection.request("ping", undefined, id)));
      await context.wait(context.times.quietMs);
      for (const id of ids) {
        const count = connection.received.filter(
          (received) => isAnswer(received) && received.message.id === id,
        ).length;
        demand(count === 1, `${id} was answered ${count} times`);
      }
    },
  },
  {
    id: "IDE-RPC-010",
    level: "should",
    hostile: true,
    rule: "An unsolicited reply is not answered.",
    source: jsonRpc("5"),
    async run(context) {
      const { connection } = await context.ready();
      const stray = '{"jsonrpc":"2.0","id":654321,"result":{}}';
      const answer = await connection.answerIfAny(stray, context.times.quietMs);
      demand(answer === undefined, "it was treated as a request, and answered");
    },
  },
  {
    id: "IDE-RPC-011",
    level: "should",
    rule: "A numeric id comes back with the same digits: 41, not 41.0, up to 2^53 - 1.",
    source: jsonRpc("4"),
    note: "Agents count from 0; those not written in JavaScript may treat 41.0 as a different id.",
    async run(context) {
      const { connection } = await context.ready();
      for (const id of [41, Number.MAX_SAFE_INTEGER]) {
        const before = connection.received.length;
        connection.send(formatRequest(id, "ping"));
        const { n } = await connection.need(
          isAnswer,
          `the answer to ping with the id ${id}`,
          before,
        );
        const event = context.run.log.at(n);
        const raw = event?.ev === "frame" ? event.raw : "";
        const written = /"id"\s*:\s*([-+.\deE]+)/.exec(raw)?.[1] ?? "no number";
        demand(written === String(id), `the id ${id} came back as ${written}`);
      }
    },
  },
];

/** Checks every frame that the other checks have received. */
export const everyFrameCheck: Check = {
  id: "IDE-FRAME-001",
  level: "must",
  rule: 'Every frame of the server is one JSON-RPC 2.0 message: "jsonrpc" is "2.0", and an answer has either a result or an error.',
  source: jsonRpc("4, 5"),
  async run(context) {
    const { log, hostileChannels } = context.run;
    const received = log.events.filter((event) => {
      // Answers to malformed frames are covered by the checks that send those.
      const isOfAgent = event.ev === "frame" && !hostileChannels.has(event.ch);
      return isOfAgent && event.dir === "ide>agent";
    });
    if (received.length === 0) throw new CheckSkipped("the editor has sent nothing");
    for (const event of received) {
      const fault = findEventFault(event);
      if (fault !== undefined) context.cite(event.n);
      demand(fault === undefined, `frame ${event.n}: ${fault}`);
    }
  },
};

/** Why a frame of the server is not JSON-RPC 2.0. */
export function findEventFault(event: TraceEvent): string | undefined {
  if (event.ev !== "frame" || event.dir !== "ide>agent") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(event.raw);
  } catch {
    return "it is not JSON";
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.map(findMessageFault).find((fault) => fault !== undefined);
}

function findMessageFault(message: unknown): string | undefined {
  if (!isObject(message)) return `it is ${describeValue(message)}`;
  const { jsonrpc, method, id } = message;
  if (jsonrpc !== "2.0") return `"jsonrpc" is ${describeValue(jsonrpc)}`;
  if (method !== undefined) {
    return typeof method === "string" ? undefined : `"method" is ${describeValue(method)}`;
  }
  if ("result" in message === "error" in message)
    return "it has both a result and an error, or neither";
  if (!isRequestId(id) && id !== null) return `"id" is ${describeValue(id)}`;
  const { error } = message;
  if (error === undefined) return undefined;
  const isError = isObject(error) && Number.isInteger(error["code"]);
  return isError && typeof error["message"] === "string"
    ? undefined
    : "its error has no integer code, or no message";
}

async function demandError(
  context: CheckContext,
  frame: string,
  codes: number | readonly number[],
  id?: number | null,
): Promise<string | undefined> {
  const { connection } = await context.ready();
  const answer = await connection.answerIfAny(frame, context.times.quietMs);
  demand(answer !== undefined, "it was not answered");
  const { message } = answer;
  const code = isObject(message.error) ? message.error["code"] : undefined;
  const wanted = [codes].flat();
  const seen = "result" in message ? "a result" : describeError(message.error);
  demand(wanted.includes(Number(code)), `it was answered with ${seen}`);
  const isRight = id === undefined || message.id === id;
  demand(isRight, `the id of the answer is ${describeValue(message.id)}`);
  return undefined;
}
