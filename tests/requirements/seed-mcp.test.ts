import { PassThrough } from "node:stream";
import { McpClient, type McpClientOptions, Roots, sampling } from "@idewire/core/client";
import { textResult } from "@idewire/core/internal";
import { type Progress, RpcError } from "@idewire/core/rpc";
import { type CallToolResult, type ContentBlock, McpServer } from "@idewire/core/server";
import { manualClock, RawEnd } from "@idewire/core/testing";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { expect, onTestFinished } from "vitest";
import { childPair } from "../src/stdio-pairs.ts";
import { verifies } from "../src/verifies.ts";

// The examples of seed 004, to the letter, between our ends and an end that a test plays by hand, through
// the standard streams of a real child process.

const clientInfo = { name: "opencode", version: "0.x.x" };
const serverInfo = { name: "example-server", version: "1.0.0" };
const readFile = {
  name: "read_file",
  description: "Read a file from the filesystem",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Path to the file" } },
    required: ["path"],
  },
} as const;
const codeReview = {
  name: "code_review",
  description: "Review code for issues",
  arguments: [{ name: "code", description: "The code to review", required: true }],
};
const review = {
  description: "Code review prompt",
  messages: [{ role: "user", content: { type: "text", text: "Review this code: ..." } }] as const,
};
const readme = {
  uri: "file:///project/README.md",
  name: "README",
  description: "Project documentation",
  mimeType: "text/markdown",
};
const contents = { uri: readme.uri, mimeType: "text/markdown", text: "# Project\n..." };
const hosts: CallToolResult = { content: [{ type: "text", text: "127.0.0.1 localhost\n..." }] };

/** A server's end that the test plays, behind a child process whose parent is our client. */
async function openServerEnd() {
  const { left, right } = await childPair();
  const server = new RawEnd(right);
  onTestFinished(() => left.close());
  return { server, transport: left };
}

async function received(end: RawEnd): Promise<Record<string, unknown>> {
  await expect.poll(() => end.frames.length).toBeGreaterThan(0);
  return JSON.parse(end.frames.shift() ?? "") as Record<string, unknown>;
}

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  prompts: { listChanged: true },
};

/** Our client, connected to a server that the test plays. */
async function connectClient(options: Partial<McpClientOptions> = {}) {
  const { server, transport } = await openServerEnd();
  const connecting = McpClient.connect(transport, {
    era: "legacy",
    ...clientInfo,
    protocolVersion: "2024-11-05",
    features: [new Roots(() => []), sampling(() => Promise.reject(new Error("no model")))],
    ...options,
  });
  const initialize = await received(server);
  server.answer(initialize["id"], { protocolVersion: "2024-11-05", capabilities, serverInfo });
  const client = await connecting;
  const initialized = await received(server);
  return { client, server, initialize, initialized };
}

/** The frames that our client sent, and its result for an answer. */
async function exchange<T>(run: (client: McpClient) => Promise<T>, answer: unknown) {
  const { client, server } = await connectClient();
  const outcome = run(client);
  const { id, method, params } = await received(server);
  server.answer(id, answer);
  return { method, params, outcome: await outcome };
}

/** Our server, and a client that the test plays at the other end of a child process. */
async function connectServer(run: () => CallToolResult = () => hosts) {
  const server = new McpServer({ ...serverInfo, logLevel: "off" });
  const { uri, ...resource } = readme;
  server.resource(uri, resource, () => contents);
  const code = { description: "The code to review", required: true } as const;
  const prompt = { description: codeReview.description, arguments: { code } };
  server.prompt(codeReview.name, prompt, () => review);
  const { name, description, inputSchema: input } = readFile;
  server.tool(name, { description, input }, run);
  const { left, right } = await childPair();
  server.connect(right, { context: undefined });
  const client = new RawEnd(left);
  onTestFinished(() => left.close());
  let ids = 0;
  const ask = async (method: string, params: object = {}) => {
    ids += 1;
    client.request(ids, method, params);
    let message = await received(client);
    while (message["id"] === undefined) message = await received(client);
    return message;
  };
  const hello = await ask("initialize", {
    protocolVersion: "2024-11-05",
    capabilities: { roots: { listChanged: true }, sampling: {} },
    clientInfo,
  });
  client.notify("notifications/initialized");
  return { client, ask, hello, server };
}

verifies(
  ["s4:request", "s4:initialize-request", "s4:stdio-spawn", "s4:stdio-newlines"],
  "a client starts a program and sends it, line by line, its info and its capabilities",
  async () => {
    const { initialize, initialized } = await connectClient();
    expect(initialize).toEqual({
      jsonrpc: "2.0",
      id: expect.anything(),
      method: "initialize",
      params: {
        protocolVersion: "2024-11-05",
        capabilities: { roots: { listChanged: true }, sampling: {} },
        clientInfo,
      },
    });
    expect(initialized).toEqual({ jsonrpc: "2.0", method: "notifications/initialized" });
    const script =
      "process.stdout.write([process.cwd(), process.env.OF_A_TEST, ...process.argv.slice(1)] + '\\n')";
    const transport = spawnStdioTransport(process.execPath, ["-e", script, "argument"], {
      cwd: "/",
      env: { ...process.env, OF_A_TEST: "environment" },
    });
    const end = new RawEnd(transport);
    await expect.poll(() => end.frames).toEqual(["/,environment,argument"]);
  },
);

verifies(
  "s4:stdio-stderr",
  "a program's stderr is passed to the client's stream, or ignored",
  async () => {
    const script = 'console.error(\'{"jsonrpc":"2.0","method":"log"}\'); console.log(\'{}\')';
    const kept = new PassThrough({ encoding: "utf8" });
    for (const stderr of ["ignore", kept] as const) {
      const end = new RawEnd(spawnStdioTransport(process.execPath, ["-e", script], { stderr }));
      await expect.poll(() => end.closeReason).toBeDefined();
      expect(end.frames).toEqual(["{}"]);
    }
    expect(kept.read()).toContain('"method":"log"');
  },
);

verifies(
  ["s4:response", "s4:initialize-response"],
  "a server answers initialize with its capabilities and its name",
  async () => {
    const { hello } = await connectServer();
    expect(hello).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2024-11-05",
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
        },
        serverInfo,
      },
    });
  },
);

verifies(
  ["s4:tools-list", "s4:tools-call", "s4:prompts-list", "s4:prompts-get"],
  "a server answers for its tools and prompts as the examples do",
  async () => {
    const { ask } = await connectServer();
    const resultOf = async (method: string, params?: object) =>
      (await ask(method, params))["result"];
    expect(await resultOf("tools/list")).toEqual({ tools: [readFile] });
    const call = { name: "read_file", arguments: { path: "/etc/hosts" } };
    expect(await resultOf("tools/call", call)).toEqual(hosts);
    expect(await resultOf("prompts/list")).toEqual({ prompts: [codeReview] });
    const wanted = { name: "code_review", arguments: { code: "function foo() { ... }" } };
    expect(await resultOf("prompts/get", wanted)).toEqual(review);
  },
);

verifies(
  ["s4:resources-list", "s4:resources-read"],
  "a server answers for its resources as the examples do",
  async () => {
    const { ask } = await connectServer();
    expect((await ask("resources/list"))["result"]).toEqual({ resources: [readme] });
    const read = await ask("resources/read", { uri: readme.uri });
    expect(read["result"]).toEqual({ contents: [contents] });
  },
);

verifies(
  ["s4:tools-list", "s4:tools-call", "s4:prompts-list", "s4:prompts-get"],
  "a client requests tools and prompts as the examples do, and parses their answers",
  async () => {
    expect(await exchange((client) => client.listTools(), { tools: [readFile] })).toMatchObject({
      method: "tools/list",
      outcome: [readFile],
    });
    const path = { path: "/etc/hosts" };
    const answer = { ...hosts, isError: false };
    expect(await exchange((client) => client.callTool("read_file", path), answer)).toMatchObject({
      method: "tools/call",
      params: { name: "read_file", arguments: path },
      outcome: answer,
    });
    expect(
      await exchange((client) => client.listPrompts(), { prompts: [codeReview] }),
    ).toMatchObject({
      method: "prompts/list",
      outcome: [codeReview],
    });
    const code = { code: "function foo() { ... }" };
    expect(await exchange((client) => client.getPrompt("code_review", code), review)).toEqual({
      method: "prompts/get",
      params: { name: "code_review", arguments: code },
      outcome: review,
    });
  },
);

verifies(
  ["s4:resources-list", "s4:resources-read"],
  "a client requests resources as the examples do, and parses their answers",
  async () => {
    expect(
      await exchange((client) => client.listResources(), { resources: [readme] }),
    ).toMatchObject({
      method: "resources/list",
      outcome: [readme],
    });
    const read = (client: McpClient) => client.readResource(readme.uri);
    expect(await exchange(read, { contents: [contents] })).toEqual({
      method: "resources/read",
      params: { uri: readme.uri },
      outcome: [contents],
    });
  },
);

verifies(
  ["s4:notification", "s4:notifications"],
  "a server notifies of changed lists and of a changed resource",
  async () => {
    const { ask, client, server } = await connectServer();
    await ask("resources/subscribe", { uri: readme.uri });
    server.emit("notifications/tools/list_changed");
    server.prompt("another", {}, () => review);
    server.resourceListChanged();
    server.resourceUpdated(readme.uri);
    await expect
      .poll(() => client.frames.map((frame) => JSON.parse(frame)))
      .toEqual([
        { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
        { jsonrpc: "2.0", method: "notifications/prompts/list_changed" },
        { jsonrpc: "2.0", method: "notifications/resources/list_changed" },
        { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: readme.uri } },
      ]);
  },
);

verifies(
  ["s4:notification", "s4:notification-handler"],
  "a client receives a notification, and answers nothing",
  async () => {
    const notifications: unknown[] = [];
    const { client, server } = await connectClient({
      onnotification: (...all) => void notifications.push(all),
    });
    server.notify("notifications/tools/list_changed", {});
    await expect.poll(() => notifications).toEqual([["notifications/tools/list_changed", {}]]);
    const ping = client.ping();
    const { id, method } = await received(server);
    expect(method).toBe("ping");
    server.answer(id, {});
    await ping;
  },
);

const blocks: readonly ContentBlock[] = [
  { type: "text", text: "Hello, world!" },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  {
    type: "resource",
    resource: { uri: "file:///path", text: "...", mimeType: "text/plain" },
  },
];

verifies(
  ["s4:text-content", "s4:image-content", "s4:resource-content"],
  "content passes both ends unchanged",
  async () => {
    const answer = { content: blocks };
    const { ask } = await connectServer(() => answer);
    const call = { name: "read_file", arguments: { path: "" } };
    expect((await ask("tools/call", call))["result"]).toEqual(answer);
    const { outcome } = await exchange((client) => client.callTool("read_file"), answer);
    expect(outcome).toEqual(answer);
  },
);

verifies("s4:tool-error", "a failing tool is a result with isError", async () => {
  const failure = { ...textResult("Error: File not found"), isError: true };
  expect(failure.content).toEqual([{ type: "text", text: "Error: File not found" }]);
  const { ask } = await connectServer(() => failure);
  const call = { name: "read_file", arguments: { path: "" } };
  expect((await ask("tools/call", call))["result"]).toEqual(failure);
  const { outcome } = await exchange((client) => client.callTool("read_file"), failure);
  expect(outcome).toEqual(failure);
});

verifies("s4:error", "a refusal reaches the caller with code, message and data", async () => {
  const { client, server } = await connectClient();
  const call = client.listTools();
  const { id } = await received(server);
  const error = { code: -32600, message: "Invalid Request", data: { seen: 1 } };
  server.send({ jsonrpc: "2.0", id, error });
  await expect(call).rejects.toMatchObject(error);
  await expect(call).rejects.toBeInstanceOf(RpcError);
});

verifies("s4:error-codes", "each of the five codes is sent for its error", async () => {
  const { client, ask, server } = await connectServer();
  const codeOf = (message: Record<string, unknown>) =>
    (message["error"] as { code: number } | undefined)?.code;
  client.send("{");
  expect(codeOf(await received(client))).toBe(-32700);
  client.send({ jsonrpc: "1.0", id: 7, method: "tools/list" });
  expect(codeOf(await received(client))).toBe(-32600);
  expect(codeOf(await ask("no/such/method"))).toBe(-32601);
  expect(codeOf(await ask("tools/call", { name: "no such tool" }))).toBe(-32602);
  server.prompt("faulty", {}, () => {
    throw new Error("a fault in the prompt");
  });
  expect(codeOf(await ask("prompts/get", { name: "faulty" }))).toBe(-32603);
});

verifies("s4:timeouts", "connecting and calling time out after the configured time", async () => {
  const { server, transport } = await openServerEnd();
  const connecting = McpClient.connect(transport, { era: "legacy", ...clientInfo, timeoutMs: 50 });
  await expect(connecting).rejects.toMatchObject({ code: "timeout" });
  expect(server.frames.length).toBeGreaterThan(0);
  const { client } = await connectClient();
  const call = client.callTool("read_file", {}, { timeoutMs: 50 });
  await expect(call).rejects.toMatchObject({ code: "timeout" });
});

verifies("s4:timeout-progress", "progress restarts the time-out of a call", async () => {
  const clock = manualClock();
  const { client, server } = await connectClient({ peer: { clock } });
  const seen: number[] = [];
  const onProgress = ({ progress }: Progress) => void seen.push(progress);
  const options = { timeoutMs: 1000, resetTimeoutOnProgress: true, onProgress };
  const call = client.callTool("read_file", {}, options);
  const { id, params } = await received(server);
  const { progressToken } = (params as { _meta: { progressToken: unknown } })._meta;
  for (const progress of [1, 2, 3]) {
    clock.advance(900);
    server.notify("notifications/progress", { progressToken, progress });
    await expect.poll(() => seen).toContain(progress);
  }
  server.answer(id, textResult("late"));
  expect(await call).toEqual(textResult("late"));
});
