import {
  claudeCodeSpec,
  createIdeServer,
  type Dialect,
  defaultSharePolicy,
  jetBrains,
  neovim,
  type Platform,
} from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { jetBrainsDiscovery, textResult } from "@idewire/core/internal";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import {
  type FakeEditorHost,
  fakeEditorHost,
  manualClock,
  posixPath,
  RawEnd,
  settled,
} from "@idewire/core/testing";
import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";

const clientInfo = { name: "claude-code", version: "1.0.0" };

/** An agent in memory after its handshake, which receives notifications. */
async function connect(dialect: Dialect, host: FakeEditorHost, platform: Platform = "posix") {
  const clock = manualClock();
  const share = { ...defaultSharePolicy, level: "all" } as const;
  const server = createIdeServer({ host, dialect, platform, clock, share });
  const [editor, end] = createMemoryTransportPair();
  const session = server.open(editor);
  const agent = new RawEnd(end);
  const protocolVersion = "2025-06-18";
  agent.request(0, "initialize", { protocolVersion, capabilities: {}, clientInfo });
  agent.notify("notifications/initialized");
  await agent.take();
  clock.advance(dialect.readyDelayMs);
  await agent.take();
  return { agent, clock, session, server };
}

function call(agent: RawEnd, name: string, args: object) {
  agent.request("call", "tools/call", { name, arguments: args });
  return agent.take();
}

verifies(
  "s0:response",
  "a result with error null beside it is a result; ours never has it",
  async () => {
    const [left, right] = createMemoryTransportPair();
    const peer = new Peer(left, { handler: { handle: () => ({ content: [] }) } });
    const other = new RawEnd(right);
    const answer = peer.request("ping");
    const [request] = await other.take();
    const content = [{ type: "text", text: "File contents here" }];
    other.send({ jsonrpc: "2.0", id: request?.id, result: { content }, error: null });
    expect(await answer).toEqual({ content });
    other.request(1, "tools/call");
    expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [] } }]);
  },
);

verifies("s0:list-changed", "a new tool is announced", async () => {
  const server = new McpServer(clientInfo);
  const [left, right] = createMemoryTransportPair();
  server.connect(left, { context: undefined });
  const received: string[] = [];
  await McpClient.connect(right, {
    era: "legacy",
    ...clientInfo,
    onnotification: (method) => void received.push(method),
  });
  server.tool("new", { description: "" }, () => "");
  await settled();
  expect(received).toEqual(["notifications/tools/list_changed"]);
});

verifies(
  ["s0:internal-error", "s1:internal-error"],
  "a bug of ours is -32603, without details",
  async () => {
    for (const [dialect, name] of [
      [jetBrains, "get_diagnostics"],
      [neovim, "getDiagnostics"],
    ] as const) {
      const diagnostics = () => Promise.reject(new Error("a secret of the editor"));
      const { agent } = await connect(dialect, fakeEditorHost({ diagnostics }));
      const [answer] = await call(agent, name, {});
      expect(answer?.error).toEqual({ code: -32603, message: "Internal error" });
    }
  },
);

verifies(
  "s0:lock-file",
  "the discovery file of seed 000 is in the home directory, and named by its port",
  () => {
    const file = {
      port: 12_345,
      authToken: "randomly-generated-token",
      projectPath: "/path/to/project",
    };
    const { format, read, folder, fileName } = jetBrainsDiscovery;
    const process = { pid: 1 };
    const { port, authToken: token, projectPath } = file;
    const server = {
      port,
      token,
      folders: [projectPath],
      ideName: "",
      isLocal: true,
      process,
      writtenMs: 0,
    };
    expect(JSON.parse(format({ ...server, inWindows: false }))).toMatchObject(file);
    expect(read(JSON.stringify(file))).toMatchObject({
      ok: true,
      value: { authToken: token, workspaceFolders: [projectPath] },
    });
    expect(`~/${folder.root}/${fileName({ port, process }, "")}`).toBe("~/.claude-code/12345.json");
  },
);

verifies("s0:disconnect", "when the client closes, its diffs close with it", async () => {
  const host = fakeEditorHost();
  const { agent, session } = await connect(jetBrains, host);
  await call(agent, "openDiff", { old_file_path: "a.ts", new_file_contents: "x" });
  expect(host.shownDiffs).toHaveLength(1);
  agent.transport.close();
  await session.closed;
  await settled();
  expect(host.shownDiffs).toEqual([]);
});

verifies("s1:mcp", "an MCP client works with it", async () => {
  const [left, right] = createMemoryTransportPair();
  createIdeServer({ host: fakeEditorHost(), dialect: neovim }).open(left);
  const client = await McpClient.connect(right, { era: "legacy", ...clientInfo });
  expect(client.server.serverInfo.name).toBe("Claude Code Neovim MCP");
  expect((await client.listTools()).length).toBeGreaterThan(4);
  expect(await client.callTool("closeAllDiffTabs")).toEqual(textResult("CLOSED_0_DIFF_TABS"));
});

verifies("s1:minimum-version", "an older revision is answered with the newest", async () => {
  for (const [requested, agreed] of [
    ["2024-11-05", "2025-11-25"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["1999-01-01", "2025-11-25"],
  ]) {
    const [left, right] = createMemoryTransportPair();
    createIdeServer({ host: fakeEditorHost(), dialect: neovim }).open(left);
    const agent = new RawEnd(right);
    agent.request(1, "initialize", { protocolVersion: requested, capabilities: {}, clientInfo });
    const [answer] = await agent.take();
    expect(answer?.result).toMatchObject({ protocolVersion: agreed });
  }
});

verifies(
  ["s2:ping", "s2:ping-timeout"],
  "a ping every five seconds; three without an answer end the connection",
  async () => {
    const { agent, clock, session } = await connect(claudeCodeSpec, fakeEditorHost());
    clock.advance(5_000 - claudeCodeSpec.readyDelayMs);
    const [ping] = await agent.take();
    expect(ping).toEqual({ jsonrpc: "2.0", id: expect.any(Number), method: "ping" });
    agent.answer(ping?.id, {});
    await settled();
    clock.advance(5_000);
    expect(await agent.take()).toHaveLength(1);
    clock.advance(3_200);
    expect(await session.closed).toMatchObject({ reason: "No answer to ping in 3000 ms" });
  },
);

verifies("s2:ide-connected-pid", "the session has the agent's process", async () => {
  const { agent, session } = await connect(claudeCodeSpec, fakeEditorHost());
  agent.notify("ide_connected", { pid: 54_321, isPluginVersionUnsupported: true });
  await agent.take();
  expect(session.pid).toBe(54_321);
});

verifies(
  ["s2:path-windows", "s2:selection-path-posix", "s2:uri-windows"],
  "on Windows paths have forward slashes, and URIs a drive",
  async () => {
    const host = fakeEditorHost();
    const path = posixPath("/c/Users/foo/file.ts");
    host.folders = [{ path: posixPath("/c/Users/foo"), name: "foo" }];
    host.setDiagnostics([{ path, diagnostics: [] }]);
    const { agent } = await connect(claudeCodeSpec, host, "windows");
    const start = { line: 0, character: 0 };
    host.setSelection({ path, ranges: [{ start, end: start, text: "" }], primary: 0 });
    expect(await agent.take()).toMatchObject([{ params: { filePath: "/c/Users/foo/file.ts" } }]);
    for (const filePath of ["/c/Users/foo/file.ts", "C:\\Users\\foo\\file.ts"]) {
      const [opened] = await call(agent, "openFile", { filePath, makeFrontmost: true });
      expect(opened?.result).toEqual(textResult("OK"));
    }
    expect(host.callsOf("reveal").map(([opened]) => opened)).toEqual([path, path]);
    const uri = "file:///c:/Users/foo/file.ts";
    const [answer] = await call(agent, "getDiagnostics", { uri });
    expect(answer?.result).toEqual(textResult(JSON.stringify([{ uri, diagnostics: [] }])));
  },
);

verifies("s2:path-posix", "on other systems paths stay unchanged", async () => {
  const host = fakeEditorHost();
  const path = posixPath("/Users/foo/project/a b ü 🦊.ts");
  host.folders = [{ path: posixPath("/Users/foo/project"), name: "project" }];
  const { agent } = await connect(claudeCodeSpec, host);
  const [opened] = await call(agent, "open_files", { file_paths: [path] });
  expect(opened?.result).toEqual(textResult(JSON.stringify({ opened_files: [path] })));
});
