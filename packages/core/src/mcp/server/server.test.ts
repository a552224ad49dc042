import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { RpcError, ToolFailure } from "../../errors.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { joinInMemory } from "../../testing/join-in-memory.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { errorResult } from "../content.ts";
import type { Asker } from "./client-features/ask.ts";
import { elicit, elicitUrl } from "./client-features/elicitation.ts";
import { listRoots } from "./client-features/roots.ts";
import { createMessage } from "./client-features/sampling.ts";
import { McpServer } from "./server.ts";
import type { ServerCall } from "./server-call.ts";
import type { McpServerOptions } from "./server-options.ts";

type Define = (server: McpServer) => void;

const echo: Define = (server) =>
  void server.tool(
    "echo",
    {
      title: "Echo",
      description: "Says it again",
      annotations: { readOnlyHint: true },
      input: v.object({ text: v.string(), times: v.exactOptional(v.number()) }),
    },
    ({ text, times = 1 }) => text.repeat(times),
  );

/** A tool that accepts any arguments and calls `run`. */
function tool(name: string, run: (call: ServerCall) => unknown, listed = true): Define {
  return (server) =>
    void server.tool(name, { listed, input: v.object({}) }, (_, call) => run(call) as string);
}

interface OpenOptions extends Partial<McpServerOptions> {
  readonly tools?: readonly Define[];
}

function open({ tools = [echo], ...options }: OpenOptions = {}) {
  const errors: Error[] = [];
  const onerror = (error: Error) => void errors.push(error);
  const server = new McpServer({ name: "test", version: "1", onerror, ...options });
  for (const define of tools) define(server);
  const connect = () => {
    const [left, right] = createMemoryTransportPair();
    const connection = server.connect(left);
    return { connection, client: new RawEnd(right) };
  };
  return { server, errors, connect, ...connect() };
}

function initialize(
  client: RawEnd,
  protocolVersion: unknown = "2025-11-25",
  id: unknown = 0,
  capabilities: unknown = {},
): void {
  const clientInfo = { name: "test client", version: "2", title: "Tester" };
  client.request(id, "initialize", { protocolVersion, capabilities, clientInfo });
}

async function ready(options: OpenOptions = {}) {
  const fixture = open(options);
  initialize(fixture.client);
  fixture.client.notify("notifications/initialized");
  await fixture.client.take();
  return fixture;
}

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "a client that requests %s gets it",
  async (version) => {
    const { client, connection } = open({ instructions: "Be kind." });
    expect(connection.revision).toBe(undefined);
    initialize(client, version);
    expect(await client.take()).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        result: {
          protocolVersion: version,
          capabilities: { tools: { listChanged: true }, logging: {} },
          serverInfo: { name: "test", version: "1" },
          instructions: "Be kind.",
        },
      },
    ]);
    expect(connection.revision).toBe(version);
  },
);

test.each(["1999-01-01", "2026-07-28", "", "__proto__", "constructor"])(
  "a client that requests the unknown %j gets the newest",
  async (version) => {
    const { client } = open();
    initialize(client, version);
    const [answer] = await client.take();
    expect(answer?.result).toMatchObject({ protocolVersion: "2025-11-25" });
    expect(answer?.result).not.toHaveProperty("instructions");
  },
);

test.each([[undefined], [null], [5], [{}]])(
  "a protocolVersion of %j is -32602, and the client may try again",
  async (version) => {
    const { client } = open();
    client.request(0, "initialize", { protocolVersion: version });
    const [answer] = await client.take();
    expect(answer?.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("protocolVersion: expected a string, got"),
    });
    initialize(client);
    expect((await client.take())[0]?.result).toBeDefined();
  },
);

test("batches are accepted in 2025-03-26 and in no other revision", async () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    const { client } = open();
    initialize(client, version);
    client.send([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    const [, answer] = await client.take();
    if (version === "2025-03-26") expect(answer).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    else expect(answer?.error).toMatchObject({ code: -32_600 });
  }
});

test("ping is answered at any time, even before initialize", async () => {
  const { client } = open();
  client.request("p", "ping");
  initialize(client);
  client.request(2, "ping", {});
  const answers = await client.take();
  expect([answers[0], answers[2]]).toEqual([
    { jsonrpc: "2.0", id: "p", result: {} },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
});

test.each(["tools/list", "tools/call", "resources/list", "nope"])(
  "%s before initialize is refused with a message, and the connection stays open",
  async (method) => {
    const { client } = open();
    client.request(1, method, { name: "echo", arguments: { text: "x" } });
    initialize(client);
    const [refusal, answer] = await client.take();
    expect(refusal).toMatchObject({
      id: 1,
      error: { code: -32_600, message: `Invalid Request: "${method}" before initialize` },
    });
    expect(answer?.result).toBeDefined();
  },
);

test("a second initialize is refused and changes nothing", async () => {
  const { client, connection } = open();
  initialize(client, "2025-06-18");
  initialize(client, "2024-11-05", 1);
  client.request(2, "tools/list");
  const [, refusal, list] = await client.take();
  expect(refusal).toMatchObject({
    id: 1,
    error: {
      code: -32_600,
      message: "Invalid Request: already initialized with 2025-06-18",
    },
  });
  expect(list?.result).toBeDefined();
  expect(connection.revision).toBe("2025-06-18");
});

test("a client without a valid clientInfo is served", async () => {
  const { server } = open();
  const seen: unknown[] = [];
  for (const clientInfo of [undefined, null, "me", {}, { name: 1, version: [], title: 2 }]) {
    const [left, right] = createMemoryTransportPair();
    const observer = { oninitialize: (client: unknown) => void seen.push(client) };
    server.connect(left, { context: undefined, observer });
    const client = new RawEnd(right);
    client.request(0, "initialize", { protocolVersion: "2025-11-25", clientInfo });
    expect((await client.take())[0]?.result).toBeDefined();
  }
  expect(seen).toEqual(Array(5).fill({ name: "unknown", version: "unknown" }));
});

test("the list of tools has their schemas, as JSON Schema without a dialect key", async () => {
  const { client } = await ready();
  client.request(1, "tools/list");
  client.request(2, "tools/list", { cursor: null });
  const [list, again] = await client.take();
  expect(list?.result).toEqual({
    tools: [
      {
        name: "echo",
        title: "Echo",
        description: "Says it again",
        annotations: { readOnlyHint: true },
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" }, times: { type: "number" } },
          required: ["text"],
        },
      },
    ],
  });
  expect(again?.result).toEqual(list?.result);
});

test("an unlisted tool can be called", async () => {
  const { client } = await ready({ tools: [tool("hidden", () => "here", false)] });
  client.request(1, "tools/list");
  client.request(2, "tools/call", { name: "hidden" });
  expect((await client.take()).map(({ result }) => result)).toEqual([
    { tools: [] },
    { content: [{ type: "text", text: "here" }] },
  ]);
});

test("resources, templates and prompts are empty lists", async () => {
  const { client } = await ready();
  for (const list of ["resources/list", "resources/templates/list", "prompts/list"]) {
    client.request(list, list);
  }
  expect((await client.take()).map(({ result }) => result)).toEqual([
    { resources: [] },
    { resourceTemplates: [] },
    { prompts: [] },
  ]);
});

test.each(["nope", "server/discover", "__proto__", "toString"])(
  "the method %s is -32601",
  async (method) => {
    const { client } = await ready({ eras: "legacy" });
    client.request(1, method);
    expect((await client.take())[0]?.error).toMatchObject({ code: -32_601 });
  },
);

test("a call returns the tool's result, synchronously or later", async () => {
  const { client } = await ready({ tools: [echo, tool("later", async () => "late")] });
  client.request(1, "tools/call", { name: "echo", arguments: { text: "ab", times: 2 } });
  client.request(2, "tools/call", { name: "later", arguments: {} });
  client.request(3, "tools/call", { name: "later", arguments: null });
  client.request(4, "tools/call", { name: "later" });
  const text = (words: string) => ({ content: [{ type: "text", text: words }] });
  expect((await client.take()).map(({ id, result }) => [id, result])).toEqual([
    [1, text("abab")],
    [2, text("late")],
    [3, text("late")],
    [4, text("late")],
  ]);
});

test.each([["nope"], [undefined], [5], [null], ["__proto__"], ["constructor"]])(
  "a call of the tool %j is -32602",
  async (name) => {
    const { client } = await ready();
    client.request(1, "tools/call", { name, arguments: {} });
    const [answer] = await client.take();
    expect(answer?.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("Unknown tool"),
    });
  },
);

const badArguments: readonly [unknown, string][] = [
  [{}, "text: expected string, got nothing"],
  [{ text: 5 }, "text: expected string, got 5"],
  [{ text: null }, "text: expected string, got null"],
  [{ text: "a", times: "b" }, 'times: expected number, got "b"'],
  [{ text: 1, times: [] }, "text: expected string, got 1; times: expected number, got []"],
  [[], "expected object, got []"],
  ["text", 'expected object, got "text"'],
  [{ text: ["x".repeat(1000)] }, `text: expected string, got ["${"x".repeat(57)}…`],
];

test.each(badArguments)("the arguments %j are refused as: %s", async (args, issue) => {
  const { client } = await ready();
  client.request(1, "tools/call", { name: "echo", arguments: args });
  expect((await client.take())[0]?.result).toEqual(
    errorResult(`Invalid arguments for echo: ${issue}`),
  );
});

const inResult = {
  result: errorResult("Invalid arguments for echo: text: expected string, got 5"),
};
const asError = {
  error: { code: -32_602, message: "Invalid params: text: expected string, got 5" },
};

test.each([
  ["2024-11-05", asError],
  ["2025-03-26", asError],
  ["2025-06-18", asError],
  ["2025-11-25", inResult],
])("invalid arguments are answered as %s requires", async (version, answer) => {
  for (const [argumentErrors, expected] of [
    [undefined, answer],
    ["invalid-params", asError],
    ["tool-result", inResult],
  ] as const) {
    const { client } = open(argumentErrors && { argumentErrors });
    initialize(client, version);
    client.request(1, "tools/call", { name: "echo", arguments: { text: 5 } });
    expect((await client.take())[1]).toMatchObject(expected);
  }
});

test.each([
  ["by default with its message", undefined, { result: errorResult("broken") }],
  ["-32603", "internal-error", { error: { code: -32_603, message: "Internal error" } }],
] as const)(
  "a ToolFailure is a result that the model reads, an RpcError an error, and a bug is reported and answered %s",
  async (_, toolErrors, bug) => {
    const fail = (error: Error) => () => {
      throw error;
    };
    const { client, errors } = await ready({
      ...(toolErrors !== undefined && { toolErrors }),
      tools: [
        tool("failure", fail(new ToolFailure("the file is gone"))),
        tool("later failure", async () => fail(new ToolFailure("gone later"))()),
        tool("rpc", fail(new RpcError(-32_002, "no such resource"))),
        tool("bug", fail(new Error("broken"))),
        tool("later bug", async () => fail(new Error("broken"))()),
      ],
    });
    for (const name of ["failure", "later failure", "rpc", "bug", "later bug"]) {
      client.request(name, "tools/call", { name });
    }
    await expect.poll(() => client.frames.length).toBe(5);
    const answers = Object.fromEntries((await client.take()).map((answer) => [answer.id, answer]));
    expect(answers["failure"]?.result).toEqual(errorResult("the file is gone"));
    expect(answers["later failure"]?.result).toEqual(errorResult("gone later"));
    expect(answers["rpc"]?.error).toEqual({ code: -32_002, message: "no such resource" });
    expect(answers["bug"]).toMatchObject(bug);
    expect(answers["later bug"]).toMatchObject(bug);
    expect(errors.map(({ message }) => message)).toEqual(["broken", "broken"]);
  },
);

test("without onerror an unexpected error is on the console", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const server = new McpServer({ name: "s", version: "1" });
  const broken = new Error("broken");
  server.tool("bug", {}, () => {
    throw broken;
  });
  const { client } = await joinInMemory(server, undefined);
  expect(await client.callTool("bug")).toEqual(errorResult("broken"));
  expect(error.mock.calls).toEqual([[broken]]);
  error.mockRestore();
});

test("a tool's signal aborts when its caller cancels, and its progress is sent", async () => {
  let signal: AbortSignal | undefined;
  const wait = tool("wait", (call) => {
    signal = call.signal;
    call.progress({ progress: 1 });
    return new Promise(() => {});
  });
  const { client } = await ready({ tools: [wait] });
  client.request(7, "tools/call", { name: "wait", _meta: { progressToken: "t" } });
  expect(await client.take()).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1 },
    },
  ]);
  client.notify("notifications/cancelled", { requestId: 7, reason: "Esc" });
  await settled();
  expect(signal?.aborted).toBe(true);
});

test("initialized clients are notified of a new tool, and can list it", async () => {
  const { server, client, connect } = await ready();
  const early = connect().client;
  initialize(early);
  await early.take();
  const remove = server.tool("new", {}, () => "new");
  const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  expect(await client.take()).toEqual([changed]);
  expect(await early.take()).toEqual([]);
  client.request(1, "tools/list");
  const [list] = await client.take();
  expect(list?.result).toMatchObject({ tools: [{ name: "echo" }, { name: "new" }] });
  remove();
  remove();
  expect(await client.take()).toEqual([changed]);
  client.request(2, "tools/call", { name: "new" });
  expect((await client.take())[0]?.error).toMatchObject({ code: -32_602 });
});

test("a second tool with a name is refused by name", () => {
  const { server } = open();
  expect(() => echo(server)).toThrow('There is a tool "echo" already');
  expect(() => open({ tools: [echo, echo] })).toThrow("echo");
});

test("a server sends no request before initialized, and its ids start at 1,000,000", async () => {
  const { client, connection } = open();
  await expect(listRoots({ caller: connection })).rejects.toMatchObject({ code: "protocol" });
  client.notify("notifications/initialized");
  initialize(client, "2025-11-25", 0, { roots: {} });
  await client.take();
  expect(connection.initialized).toBe(false);
  await expect(listRoots({ caller: connection })).rejects.toMatchObject({ code: "protocol" });
  client.notify("notifications/initialized");
  await settled();
  const answer = listRoots({ caller: connection });
  expect(await client.take()).toEqual([{ jsonrpc: "2.0", id: 1_000_000, method: "roots/list" }]);
  client.answer(1_000_000, { roots: [] });
  expect(await answer).toEqual([]);
});

const form = v.object({ name: v.string() });
const login = { message: "Log in", url: "https://x.test/" };

test.each([
  ["roots/list", "roots", listRoots],
  ["sampling/createMessage", "sampling", (to) => createMessage(to, { messages: [], maxTokens: 1 })],
  ["elicitation/create", "elicitation.form", (to) => elicit(to, "?", form)],
  ["elicitation/create", "elicitation.url", (to) => elicitUrl(to, login)],
] satisfies [string, string, (to: Asker) => Promise<unknown>][])(
  "%s is not sent to a client without %s",
  async (method, capability, ask) => {
    const { client, connection } = await ready();
    await expect(ask({ caller: connection })).rejects.toMatchObject({
      code: "protocol",
      message: `${method} requires a client with ${capability}`,
    });
    expect(await client.take()).toEqual([]);
  },
);

test("a tool that asks a client without the capability reports that in its result", async () => {
  const ask = tool("ask", (call) => call.ask("?", form));
  const { client } = await ready({ tools: [ask] });
  client.request(1, "tools/call", { name: "ask" });
  const result = errorResult("elicitation/create requires a client with elicitation.form");
  expect(await client.take()).toEqual([{ jsonrpc: "2.0", id: 1, result }]);
});

test("one server serves many clients, and drops those that disconnect", async () => {
  const { server, connect, client } = open();
  const second = connect();
  expect(server.connections.size).toBe(2);
  second.client.transport.close();
  await settled();
  expect(server.connections.size).toBe(1);
  client.request(1, "ping");
  expect((await client.take()).length).toBe(1);
});
