import { isObject } from "@idewire/core/internal";
import { createMemoryTransportPair, type Params, type Transport } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { expect, test } from "vitest";
import type { CheckPort } from "../port.ts";
import { type RunChecksOptions, runChecks } from "../run-checks.ts";
import { mcpServer } from "./server-checks.ts";

type Message = Readonly<Record<string, unknown>>;

/** A fault of a server, in the results of a method or in all its messages. */
interface Fault {
  /** Changes the result of a method; an object with `error` becomes the answer. */
  readonly result?: ((result: Message, method: string, params: Params) => Message) | undefined;
  /** The frames that replace a sent frame. */
  readonly frames?: (frame: string) => readonly string[];
  /** Additional frames in answer to a received frame; undefined ends the connection. */
  readonly onReceive?: (frame: string) => readonly string[] | undefined;
}

function createServer(): McpServer {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  const output = { type: "object", properties: { celsius: { type: "number" } } } as const;
  const input = { type: "object", properties: { town: { type: "string" } } } as const;
  const known = { ...input, properties: { town: { type: "string", default: "Oslo" } } } as const;
  const needs = { ...known, required: ["town"] } as const;
  const annotations = { readOnlyHint: true };
  const description = "The weather";
  server.tool("forecast", { input: needs, output, annotations, description }, () => ({
    celsius: 20,
  }));
  server.tool("order", { input, description: "Orders rain" }, () => "Ordered");
  server.prompt("greet", {}, () => "Hello");
  server.resource("note://1", { name: "note" }, () => "a note");
  return server;
}

/** A port to a server with a fault, like that to a program. */
function portTo(fault: Fault = {}, server: McpServer = createServer()): CheckPort {
  return {
    platform: "posix",
    server: { endMs: 10 },
    async connect() {
      const [near, far] = createMemoryTransportPair();
      server.connect(injectFault(far, fault), { context: undefined });
      return { kind: "open", transport: near, ping: async () => {}, cut: () => near.close() };
    },
  };
}

/** The server's end of a connection, whose answers a fault changes. */
function injectFault(inner: Transport, { result, frames, onReceive }: Fault): Transport {
  const requests = new Map<unknown, readonly [string, Params]>();
  const change = (frame: string): string => {
    const { id, ...message } = JSON.parse(frame) as Message;
    const [method, params] = requests.get(id) ?? [];
    const value = message["result"];
    if (result === undefined || method === undefined || !isObject(value)) return frame;
    const changed = result(value, method, params ?? {});
    const answer = isObject(changed["error"]) ? changed : { result: changed };
    return JSON.stringify({ jsonrpc: "2.0", id, ...answer });
  };
  const own: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    bufferedAmount: 0,
    send(frame) {
      const changed = change(frame);
      for (const each of frames?.(changed) ?? [changed]) inner.send(each);
    },
    close: (code, reason) => inner.close(code, reason),
  };
  inner.onframe = (frame) => {
    recordRequest(frame, requests);
    const extraFrames = onReceive === undefined ? [] : onReceive(frame);
    if (extraFrames === undefined) return inner.close();
    own.onframe?.(frame);
    for (const each of extraFrames) inner.send(each);
  };
  inner.onclose = (reason) => own.onclose?.(reason);
  return own;
}

function recordRequest(frame: string, requests: Map<unknown, readonly [string, Params]>): void {
  try {
    const { id, method, params } = JSON.parse(frame) as Message;
    requests.set(id, [String(method), isObject(params) ? params : {}]);
  } catch {
    // Left to the server to refuse.
  }
}

async function check(port: CheckPort, options: Partial<RunChecksOptions> = {}) {
  const times = { answerMs: 300, startMs: 300, quietMs: 5 };
  const { ok, results } = await runChecks({ port, subject: mcpServer, times, ...options });
  const failed = results.filter(({ verdict }) => verdict === "fail");
  return { ok, results, failed: failed.map(({ id }) => id) };
}

const resultOf =
  (target: string, change: (result: Message, params: Params) => Message): Fault["result"] =>
  (result, method, params) =>
    method === target ? change(result, params) : result;

const tools = (change: (tool: Message) => Message) =>
  resultOf("tools/list", (result) => ({
    ...result,
    tools: (result["tools"] as readonly Message[]).map(change),
  }));

const anyTool = (change: Message) => tools((tool) => ({ ...tool, ...change }));

/** Changes the declared capabilities of the server. */
const declares = (change: (capabilities: Message) => Message): Fault => ({
  result: (result, method) =>
    method === "initialize" || method === "server/discover"
      ? { ...result, capabilities: change(result["capabilities"] as Message) }
      : result,
});

/** A server that declares a capability and refuses its method. */
const declaresOnly = (more: Message, method: string): Fault => {
  const { result: change = (result) => result } = declares((all) => ({ ...all, ...more }));
  const refusal = { error: { code: -32603, message: "" } };
  return {
    result: (result, of, params) => (of === method ? refusal : change(result, of, params)),
  };
};

/** Replaces a code of errors with another one. */
const codes = (from: number, to: number): Fault => ({
  frames: (frame) => [frame.replace(`"code":${from}`, `"code":${to}`)],
});

/** A server that fails at nothing. */
const neverFails: Fault = {
  frames(frame) {
    const { error, ...message } = JSON.parse(frame) as Message;
    const result = { content: [], resultType: "complete" };
    return [error === undefined ? frame : JSON.stringify({ ...message, result })];
  },
};

/** A server that answers a notification. */
const answersNotification = (method: string): Fault => ({
  onReceive: (frame) =>
    frame.includes(`"${method}"`) ? ['{"jsonrpc":"2.0","id":4711,"result":{}}'] : [],
});

const isJson = (text: string) => /^\{.*\}$/s.test(text);

const faults: readonly (readonly [string, Fault])[] = [
  ["MCP-INIT-002", { result: resultOf("initialize", ({ serverInfo: _, ...rest }) => rest) }],
  [
    "MCP-INIT-003",
    { result: resultOf("initialize", (result) => ({ ...result, protocolVersion: "1" })) },
  ],
  [
    "MCP-INIT-005",
    {
      result: resultOf("initialize", (result, { protocolVersion }) => ({
        ...result,
        protocolVersion,
      })),
    },
  ],
  [
    "MCP-CAP-001",
    { result: resultOf("prompts/list", () => ({ error: { code: -32601, message: "" } })) },
  ],
  ["MCP-MSG-004", { result: resultOf("ping", () => ({ pong: true })) }],
  ["MCP-MSG-006", { frames: (frame) => (frame.includes('"id":"') ? [frame] : [frame, frame]) }],
  ["MCP-LIST-001", { result: anyTool({ name: 7 }) }],
  ["MCP-LIST-002", { result: anyTool({ name: "same" }) }],
  ["MCP-LIST-003", { result: anyTool({ name: "a name" }) }],
  ["MCP-LIST-004", { result: anyTool({ inputSchema: { type: "string" } }) }],
  ["MCP-LIST-005", { result: anyTool({ inputSchema: { type: "object", required: true } }) }],
  ["MCP-LIST-006", { result: anyTool({ annotations: { readOnlyHint: "yes" } }) }],
  ["MCP-LIST-007", { result: anyTool({ description: "" }) }],
  [
    "MCP-LIST-008",
    { result: resultOf("tools/list", (result) => ({ ...result, nextCursor: "x" })) },
  ],
  [
    "MCP-LIST-010",
    {
      result: resultOf("prompts/list", (result) => ({
        ...result,
        prompts: [{ name: "greet", arguments: ["who"] }],
      })),
    },
  ],
  ["MCP-CALL-004", { result: resultOf("tools/call", () => ({ content: [{ type: "smell" }] })) }],
  [
    "MCP-CALL-005",
    {
      result: resultOf("tools/call", (result) => ({
        ...result,
        structuredContent: { celsius: "warm" },
      })),
    },
  ],
  ["MCP-CALL-006", { result: resultOf("tools/call", (result) => ({ ...result, content: [] })) }],
  [
    "MCP-READ-001",
    { result: resultOf("resources/read", () => ({ contents: [{ uri: "note://1" }] })) },
  ],
  ["MCP-READ-004", { result: resultOf("prompts/get", () => ({ messages: [{ role: "user" }] })) }],
  ["MCP-MOD-002", { result: (result) => ({ ...result, resultType: undefined }) }],
  ["MCP-MOD-003", { result: resultOf("tools/list", ({ ttlMs: _, ...rest }) => rest) }],
  [
    "MCP-INIT-006",
    {
      result: resultOf("initialize", (result, { protocolVersion }) => ({
        ...result,
        protocolVersion: protocolVersion === "2025-06-18" ? "2025-11-25" : "2025-06-18",
      })),
    },
  ],
  ["MCP-CAP-002", declares(({ tools: _, ...rest }) => rest)],
  ["MCP-CAP-003", declaresOnly({ logging: {} }, "logging/setLevel")],
  ["MCP-CAP-004", { ...declares((all) => ({ ...all, logging: {} })), ...neverFails }],
  ["MCP-CAP-005", declaresOnly({ resources: { subscribe: true } }, "resources/unsubscribe")],
  ["MCP-MSG-001", codes(-32601, -32000)],
  ["MCP-MSG-002", { frames: (frame) => [frame.replace(/"id":"(\d+)"/, '"id":$1')] }],
  ["MCP-MSG-003", answersNotification("notifications/idewire-nothing")],
  ["MCP-MSG-005", answersNotification("notifications/cancelled")],
  ["MCP-MSG-007", neverFails],
  ["MCP-MSG-008", { onReceive: (frame) => (isJson(frame) ? [] : undefined) }],
  ["MCP-CALL-001", neverFails],
  ["MCP-CALL-002", codes(-32602, -32000)],
  [
    "MCP-CALL-003",
    { result: resultOf("tools/call", ({ isError: _, ...result }) => ({ ...result, content: [] })) },
  ],
  ["MCP-READ-002", neverFails],
  [
    "MCP-READ-003",
    { frames: (frame) => [frame.replace(/"code":-32(?:602|002)/, '"code":-32000')] },
  ],
  ["MCP-READ-005", codes(-32602, -32000)],
  ["MCP-MOD-001", { result: resultOf("server/discover", ({ ttlMs: _, ...rest }) => rest) }],
  ["MCP-MOD-004", codes(-32022, -32000)],
  ["MCP-MOD-005", codes(-32602, -32000)],
  ["MCP-MOD-006", codes(-32601, -32000)],
  ["MCP-MOD-007", codes(-32602, -32000)],
  [
    "MCP-MOD-008",
    {
      frames: (frame) => [
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a"}}',
        frame,
      ],
    },
  ],
  ["MCP-FRAME-001", { frames: (frame) => [frame, '{"id":1}'] }],
  ["MCP-FRAME-002", { frames: (frame) => ["Listening on stdio", frame] }],
];

test("idewire's own server complies with every applicable rule, in both eras", async () => {
  const { ok, failed, results } = await check(portTo());
  expect([ok, failed]).toEqual([true, []]);
  const skipped = results.filter(({ verdict }) => verdict === "skipped").map(({ id }) => id);
  expect(skipped.filter((id) => !/-(?:WEB|AUTH)-/.test(id))).toEqual([
    ...["MCP-INIT-004", "MCP-CAP-006", "MCP-LIST-009"],
  ]);
});

test.each(faults)("%s fails for a server that breaks it", async (id, fault) => {
  const { failed } = await check(portTo(fault), { only: [id] });
  expect(failed).toEqual([id]);
});

test("a tool that is not read-only is called only on request", async () => {
  const server = createServer();
  const called: string[] = [];
  server.tool("launch", { description: "Launches" }, () => {
    called.push("launch");
    return "Launched";
  });
  const only = ["MCP-CALL-004"];
  await check(portTo({}, server), { only });
  expect(called).toEqual([]);
  await check(portTo({}, server), { only, destructive: true });
  expect(called).toEqual(["launch"]);
});

test("a server that never answers fails the first check, and the others are skipped", async () => {
  const { ok, failed, results } = await check(portTo({ frames: () => [] }));
  expect([ok, failed]).toEqual([false, ["MCP-INIT-001"]]);
  expect(results.find(({ id }) => id === "MCP-LIST-001")?.detail).toBe(
    "MCP-INIT-001 has not passed",
  );
});

test("a server whose output never ends is disconnected", async () => {
  const notice = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message" });
  const flood = Array.from({ length: 5_001 }, () => notice);
  const { ok, results } = await check(portTo({ frames: (frame) => [...flood, frame] }), {
    only: [],
  });
  expect(ok).toBe(false);
  expect(results[0]?.detail).toContain("more than a check can use");
});
