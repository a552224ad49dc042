import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { McpClient } from "@idewire/core/client";
import type { CallToolResult } from "@idewire/core/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { BridgeContext, connectTo, readEndpoint } from "../src/bridge-context.ts";

const SELECTION = "idewire://editor/selection";
const DOCUMENTS = "idewire://editor/documents";
const DIAGNOSTICS = "idewire://editor/diagnostics";

const textOf = ({ content }: CallToolResult) =>
  content.map((item) => (item.type === "text" ? item.text : "")).join("\n");

async function readJson(client: McpClient, uri: string): Promise<unknown> {
  const [item] = await client.readResource(uri);
  return JSON.parse(item !== undefined && "text" in item ? item.text : "");
}

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
const firstLetter = { start: range.start, end: { line: 1, character: 1 } };
const select = { do: "select", path: "plan.md", range };

const ways = [
  ["stdio", "legacy"],
  ["stdio", "modern"],
  ["http", "legacy"],
  ["http", "modern"],
] as const;

describe.each(ways)("over %s in the %s era", (carrier, era) => {
  async function open() {
    const context = new BridgeContext();
    const editor = await context.serve();
    const bridge = context.bridge(carrier);
    await expect.poll(() => bridge.errors).toContain("Bridge to");
    const client = await connectTo(bridge, carrier, { era });
    expect(client.era).toBe(era);
    const propose = (text: string, options = {}) => {
      const path = context.plan;
      const args = { old_file_path: path, new_file_path: path, new_file_contents: text };
      return client.callTool("openDiff", { ...args, tab_name: "t" }, options);
    };
    return { context, editor, bridge, client, propose };
  }

  test("every tool of the editor is called by its own name", async () => {
    const { context, editor, client } = await open();
    editor.type(select);
    await editor.event("done", { do: "select" });
    const names = (await client.listTools()).map(({ name }) => name);
    const args: Record<string, object> = {
      openFile: { filePath: context.plan },
      checkDocumentDirty: { filePath: context.plan },
      saveDocument: { filePath: context.plan },
      close_tab: { tab_name: "none" },
    };
    expect(names).toEqual(
      expect.arrayContaining(["openDiff", "getDiagnostics", ...Object.keys(args)]),
    );
    for (const name of names.filter((each) => each !== "openDiff")) {
      const result = await client.callTool(name, { ...args[name] });
      expect(result.isError, `${name}: ${textOf(result)}`).not.toBe(true);
    }
    expect(textOf(await client.callTool("getCurrentSelection"))).toContain('"text":"two"');
    const found = await client.callTool("getDiagnostics");
    expect(found.structuredContent).toEqual({ result: JSON.parse(textOf(found)) });
  });

  test("invalid arguments are reported by the editor", async () => {
    const { client } = await open();
    const wrong = await client.callTool("openFile", { filePath: 1 });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining("got 1")]);
    await expect(client.callTool("nosuch")).rejects.toMatchObject({ code: -32602 });
  });

  test("the selection is a resource, whose change is notified within 200 ms", async () => {
    const { context, editor, client } = await open();
    expect(await readJson(client, SELECTION)).toBe(null);
    let updatedAt = 0;
    await client.subscribeResource(SELECTION, () => {
      updatedAt = performance.now();
    });
    const latencyMs = async (chosen: typeof range) => {
      updatedAt = 0;
      const began = performance.now();
      editor.type({ ...select, range: chosen });
      await expect.poll(() => updatedAt, { interval: 5 }).toBeGreaterThan(0);
      return updatedAt - began;
    };
    const bothLatenciesMs = async () => (await latencyMs(firstLetter)) + (await latencyMs(range));
    // The test fails only at five times the target of both together; accidental delays do not occur in every
    // attempt. The benchmark `bridge-selection` prints the figure itself.
    await expect.poll(bothLatenciesMs).toBeLessThan(2_000);
    const selected = { filePath: context.plan, text: "two", selection: range };
    expect(await readJson(client, SELECTION)).toEqual(selected);
  });

  test("open documents and diagnostics are resources whose changes are notified once they are read", async () => {
    const { editor, client } = await open();
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
      SELECTION,
      DOCUMENTS,
      DIAGNOSTICS,
    ]);
    const changed = new Set<string>();
    for (const uri of [DOCUMENTS, DIAGNOSTICS]) {
      await client.subscribeResource(uri, () => changed.add(uri));
      await readJson(client, uri);
    }
    editor.type({ do: "open", path: "plan.md" });
    await expect.poll(() => [...changed]).toContain(DOCUMENTS);
    expect(await readJson(client, DOCUMENTS)).toMatchObject({ tabs: [{ label: "plan.md" }] });
    const diagnostics = [{ message: "too short", severity: "warning", range }];
    editor.type({ do: "setDiagnostics", files: [{ path: "plan.md", diagnostics }] });
    await expect.poll(() => [...changed]).toContain(DIAGNOSTICS);
    expect(JSON.stringify(await readJson(client, DIAGNOSTICS))).toContain("too short");
  });

  test("a diff is accepted as the person edited it, and the agent writes the file", async () => {
    const { context, editor, propose } = await open();
    const answer = propose("ONE\n");
    const { diff } = await editor.event("diff-opened");
    editor.type({ do: "answerDiff", id: diff, answer: { kind: "accepted", text: "One\n" } });
    expect(textOf(await answer)).toMatch(/^FILE_SAVED\nOne\n\nNothing was written: /);
    expect(readFileSync(context.plan, "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("a diff is rejected", async () => {
    const { editor, propose } = await open();
    const answer = propose("ONE\n");
    const { diff } = await editor.event("diff-opened");
    editor.type({ do: "answerDiff", id: diff, answer: { kind: "rejected" } });
    expect(textOf(await answer)).toMatch(/^DIFF_REJECTED/);
  });

  test("a diff that the agent cancels is closed in the editor", async () => {
    const { editor, propose } = await open();
    const controller = new AbortController();
    const answer = propose("ONE\n", { signal: controller.signal });
    await editor.event("diff-opened");
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: "cancelled" });
    await editor.event("diff-closed");
  });

  test("a disconnected editor fails pending calls with a message, and is used again when it returns", async () => {
    const { context, editor, bridge, client, propose } = await open();
    const answer = propose("ONE\n");
    await editor.event("diff-opened");
    editor.signal("SIGTERM");
    const failed = await answer;
    expect([failed.isError, textOf(failed)]).toEqual([
      true,
      expect.stringContaining("was closed during openDiff"),
    ]);
    const away = await client.callTool("getWorkspaceFolders");
    expect([away.isError, textOf(away)]).toEqual([true, expect.stringContaining("idewire serve")]);
    await expect(client.readResource(SELECTION)).rejects.toMatchObject({
      message: expect.stringContaining("idewire serve"),
    });
    await editor.exited;
    await context.serve();
    const back = await client.callTool("getWorkspaceFolders");
    expect([back.isError, textOf(back)]).toEqual([
      undefined,
      expect.stringContaining(context.folder),
    ]);
    expect(bridge.errors).toContain("was closed; waiting for it");
  });
});

test("a bridge started before its editor offers the tools, and names the remedy", async () => {
  const context = new BridgeContext();
  const bridge = context.bridge("stdio");
  const client = await connectTo(bridge, "stdio");
  expect((await client.listTools()).map(({ name }) => name)).toContain("openDiff");
  await expect.poll(() => bridge.errors).toContain("Waiting for it.");
  const missing = await client.callTool("getWorkspaceFolders");
  expect([missing.isError, textOf(missing)]).toEqual([
    true,
    expect.stringContaining("Start one: idewire serve"),
  ]);
  await context.serve();
  const found = await client.callTool("getWorkspaceFolders");
  expect(textOf(found)).toContain(context.folder);
});

test("of two editors --pick selects one, and without it the choice is reported", async () => {
  const context = new BridgeContext();
  await context.serve("--name", "Alpha");
  await context.serve("--name", "Beta", context.fixture.root);
  const free = context.bridge("stdio");
  await expect.poll(() => free.errors).toContain("Several editors are for this folder");
  for (const [name, pick] of [
    ["Alpha", "alph"],
    ["Beta", "Beta"],
  ] as const) {
    const bridge = context.bridge("stdio", "--pick", pick);
    await expect.poll(() => bridge.errors).toContain(`Bridge to ${name}`);
  }
  const none = await connectTo(context.bridge("stdio", "--pick", "Gamma"), "stdio");
  const wrong = await none.callTool("getWorkspaceFolders");
  expect([wrong.isError, textOf(wrong)]).toEqual([
    true,
    expect.stringMatching(/has "Gamma" in its name.*\nRunning: Alpha on port \d+; Beta on port/),
  ]);
});

test("over HTTP only clients with the token are admitted, and address and token persist between runs", async () => {
  const context = new BridgeContext();
  const first = context.bridge("http");
  const endpoint = await readEndpoint(first);
  expect((await fetch(endpoint.url, { method: "POST", body: "{}" })).status).toBe(401);
  if (process.platform !== "win32") expect(statSync(endpoint.record).mode & 0o777).toBe(0o600);
  expect(first.errors).not.toContain(endpoint.token);
  first.signal("SIGINT");
  expect(await first.exited).toBe(130);
  expect(await readEndpoint(context.bridge("http"))).toEqual(endpoint);
});

interface ModernResult {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly result?: CallToolResult;
  readonly tools?: readonly { readonly name: string }[];
}

/** A client of MCP 2026-07-28, with or without tasks. */
function modernClient(
  { url, token }: { readonly url: string; readonly token: string },
  tasks = true,
) {
  const extensions = tasks ? { "io.modelcontextprotocol/tasks": {} } : {};
  const prefix = "io.modelcontextprotocol";
  const _meta = {
    [`${prefix}/protocolVersion`]: "2026-07-28",
    [`${prefix}/clientCapabilities`]: { extensions },
  };
  return async (method: string, params: object = {}, name = ""): Promise<ModernResult> => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28" },
        ...{ "mcp-method": method, ...(name !== "" && { "mcp-name": name }) },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    });
    const text = await response.text();
    const [, data = text] = /^data: (\{.*)$/m.exec(text) ?? [];
    return JSON.parse(data).result;
  };
}

test("in the modern era a long diff becomes a task, if the client supports tasks", async () => {
  const context = new BridgeContext();
  const editor = await context.serve();
  const endpoint = await readEndpoint(context.bridge("http"));
  const [request, without] = [modernClient(endpoint), modernClient(endpoint, false)];
  const { tools = [] } = await request("tools/list");
  expect(tools.map(({ name }) => name)).toContain("openDiff");
  const args = {
    ...{ old_file_path: context.plan, new_file_path: context.plan },
    ...{ new_file_contents: "ONE\n", tab_name: "t" },
  };
  const params = { name: "openDiff", arguments: args };
  const task = await request("tools/call", params, "openDiff");
  expect(task).toMatchObject({ resultType: "task", status: "working" });
  const { diff } = await editor.event("diff-opened");
  editor.type({ do: "answerDiff", id: diff, answer: { kind: "rejected" } });
  const { taskId } = task;
  const state = () => request("tasks/get", { taskId }, taskId);
  await expect.poll(async () => (await state()).status).toBe("completed");
  expect((await state()).result?.content[0]).toMatchObject({ text: "DIFF_REJECTED" });

  const plain = without("tools/call", params, "openDiff");
  await expect
    .poll(() => editor.events.filter(({ event }) => event === "diff-opened").length)
    .toBe(2);
  editor.type({ do: "diff", answer: "reject" });
  expect(await plain).toMatchObject({ resultType: "complete" });
});

test("the bridge ends with its client", async () => {
  const context = new BridgeContext();
  await context.serve();
  const bridge = context.bridge("stdio");
  await expect.poll(() => bridge.errors).toContain("Bridge to");
  bridge.stdin.end();
  expect(await bridge.exited).toBe(0);
  expect(bridge.errors).not.toContain("was closed");
});

test("a missing folder is named", async () => {
  const bridge = new BridgeContext().bridge("stdio", "nosuch");
  expect(await bridge.exited).toBe(1);
  expect(bridge.errors).toMatch(/nosuch" is not a folder that can be opened \(ENOENT\)/);
});

test("the bridge exits although its editor hangs in the handshake", async () => {
  const context = new BridgeContext();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const lock = { transport: "ws", ideName: "Hung", authToken: "t".repeat(40) };
  context.fixture.lock(port, { ...lock, pid: process.pid, workspaceFolders: [context.folder] });
  const bridge = context.bridge("stdio");
  await expect.poll(() => sockets.length).toBe(1);
  bridge.signal("SIGTERM");
  await expect.poll(() => bridge.exits).toEqual([143]);
  for (const socket of sockets) socket.destroy();
  expect(await bridge.exited).toBe(143);
});
