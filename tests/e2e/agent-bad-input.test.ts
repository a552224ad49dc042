import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { allDialects, copilot, type Dialect, Emitter, gemini } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { messagesIn, RawHttpAgent } from "../src/raw-http-agent.ts";
import { CodexClient } from "../src/reference-clients/codex-client.ts";
import { openFixture, startClaude, startOpencode } from "../src/reference-clients/context.ts";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import {
  GeminiClient,
  type GeminiProfile,
  geminiProfile,
  qwenProfile,
} from "../src/reference-clients/gemini-client.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";

const MIB = 1 << 20;
const start = { line: 0, character: 0 };
const range = { start, end: { line: 0, character: 1 } };

/** An editor that all families of agents find. */
async function openContext(options: ListenIdeOptions = {}) {
  const fixture = openFixture();
  const { env, workspace } = fixture;
  const folder = { path: posixPath(workspace), name: "work" };
  const editor = new InMemoryEditor({ name: "Test Editor", version: "1", folder });
  const pathOf = (name: string) => posixPath(join(workspace, name));
  const moves = new Emitter<{ workspace: () => void }>();
  const on: InMemoryEditor["on"] = editor.on.bind(editor);
  Object.assign(editor, {
    on: ((event, listener) =>
      event === "workspace"
        ? moves.on(event, listener as () => void)
        : on(event, listener)) satisfies InMemoryEditor["on"],
  });
  const move = (path: string) => {
    editor.folders = [{ path: posixPath(path), name: "work" }];
    moves.emit("workspace");
  };
  editor.writeFile(pathOf("a.md"), "one\n");
  editor.open(pathOf("a.md"));
  const share = { level: "all" } as const;
  const listen = async (): Promise<IdeListener> => {
    const listener = await listenIde(editor, { dialects: allDialects, env, share, ...options });
    onTestFinished(() => listener.close());
    return listener;
  };
  const listener = await listen();
  const select = (text: string) => {
    editor.setSelection({ path: pathOf("a.md"), ranges: [{ ...range, text }], primary: 0 });
  };
  const enable = async (profile: GeminiProfile) => {
    const agent = new GeminiClient(profile, { env, cwd: workspace, retryFactor: 0.1 });
    onTestFinished(() => agent.exit());
    expect(await agent.enable(), agent.problem).toBe(true);
    return agent;
  };
  const startCopilot = async () => {
    const agent = new CopilotClient({ env, cwd: workspace, retryFactor: 0.05 });
    onTestFinished(() => agent.exit());
    await agent.start();
    return agent;
  };
  return {
    fixture,
    env,
    workspace,
    editor,
    move,
    pathOf,
    listen,
    listener,
    select,
    enable,
    startCopilot,
  };
}

type Context = Awaited<ReturnType<typeof openContext>>;

/** Expects a well-behaved agent to be served: it receives the current selection, and its diff is answered. */
async function expectServed({ editor, select, pathOf }: Context, agent: GeminiClient) {
  const word = `word ${Math.random()}`;
  select(word);
  await agent.until("the selection", () => agent.active?.selectedText === word);
  const path = pathOf("otherAgent.md");
  const answer = agent.openDiff(path, word);
  const isShown = () => editor.shownDiffs.find((diff) => diff.path === path);
  // On a loaded machine, messages of the other agent may delay it.
  await expect.poll(isShown).toBeDefined();
  editor.answerDiff(isShown()?.id ?? "", { kind: "accepted", text: word });
  expect(await answer).toEqual({ status: "accepted", content: word });
}

const overHttp: readonly (readonly [string, Dialect])[] = [
  ["Gemini CLI", gemini],
  ["Copilot CLI", copilot],
];

/** Proposes a text as an agent of either family. */
function propose(agent: RawHttpAgent, { id }: Dialect, path: string, text: string) {
  const [name, args] =
    id === "gemini"
      ? ["openDiff", { filePath: path, newContent: text }]
      : ["open_diff", { original_file_path: path, new_file_contents: text, tab_name: path }];
  return agent.ask("tools/call", { name, arguments: args });
}

/** The output of a stream up to the text. */
async function readUntil(stream: IncomingMessage, text: string): Promise<string> {
  let all = "";
  for await (const piece of stream.setEncoding("utf8")) {
    all += piece as string;
    if (all.includes(text)) break;
  }
  return all;
}

describe.each(overHttp)("of %s", (_, dialect) => {
  test("a stream that is never opened holds the newest state alone", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const silent = await new RawHttpAgent(context.listener, dialect).begin();
    for (let number = 0; number < 200; number += 1)
      context.select(`${number} ${"x".repeat(10_000)}`);
    await expectServed(context, otherAgent);
    context.select("the last");
    const text = await readUntil(await silent.listen(), "the last");
    expect(text.length).toBeLessThan(100_000);
  });

  test("a stream that is opened twice continues on the newer one", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const agent = await new RawHttpAgent(context.listener, dialect).begin();
    const older = await agent.listen();
    const ended = once(older.resume(), "close");
    const newer = await agent.listen();
    await ended;
    context.select("for one stream");
    expect(await readUntil(newer, "for one stream")).toContain("for one stream");
    await expectServed(context, otherAgent);
  });

  test("a stream that is cut at every message still delivers the newest state", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const agent = await new RawHttpAgent(context.listener, dialect).begin();
    for (let number = 0; number < 12; number += 1) {
      const stream = await agent.listen();
      const word = `state ${number}.`;
      context.select(word);
      expect(await readUntil(stream, word)).toContain(word);
      stream.destroy();
    }
    expect(context.listener.sessions.size).toBe(2);
    await expectServed(context, otherAgent);
  });

  test("a thousand diffs at once fail for it alone", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const agent = await new RawHttpAgent(context.listener, dialect).begin();
    const answers = Array.from({ length: 1_000 }, (__, number) =>
      propose(agent, dialect, context.pathOf(`${number}.md`), "x".repeat(1_000)).catch(() => ({})),
    );
    await expect.poll(() => context.editor.shownDiffs.length).toBeGreaterThan(0);
    await expectServed(context, otherAgent);
    expect(context.editor.shownDiffs.length).toBeLessThanOrEqual(256);
    await context.listener.close();
    await Promise.all(answers);
    expect(context.editor.shownDiffs).toEqual([]);
  });

  test("a diff of 10 MB is shown whole", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const agent = await new RawHttpAgent(context.listener, dialect).begin();
    await agent.listen();
    const text = "0123456789abcde\n".repeat((10 * MIB) / 16);
    const answer = propose(agent, dialect, context.pathOf("big.md"), text).catch(() => undefined);
    await expect.poll(() => context.editor.shownDiffs.length).toBe(1);
    const [diff] = context.editor.shownDiffs;
    expect(diff?.proposed === text).toBe(true);
    context.editor.answerDiff(diff?.id ?? "", { kind: "rejected" });
    expect(await answer).toBeDefined();
    await expectServed(context, otherAgent);
  });

  test("a body that arrives byte by byte delays no other request", async () => {
    const context = await openContext();
    const otherAgent = await context.enable(geminiProfile);
    const agent = await new RawHttpAgent(context.listener, dialect).begin();
    const slow = Array.from({ length: 50 }, () =>
      agent.open("POST", { "content-type": "application/json", "content-length": "1000" }),
    );
    const timer = setInterval(() => {
      for (const one of slow) one.write(" ");
    }, 100);
    onTestFinished(() => clearInterval(timer));
    await expectServed(context, otherAgent);
    await expectServed(context, otherAgent);
    await context.listener.close();
  });
});

test("a stream that is not read receives what fits, and the newest state once it is read", async () => {
  const context = await openContext({ limits: { maxClientBytes: 4 * MIB } });
  const otherAgent = await context.enable(geminiProfile);
  const agent = await new RawHttpAgent(context.listener, copilot).begin();
  const stream = await agent.listen();
  const states = 40;
  for (let number = 0; number < states; number += 1) {
    context.select(`${number} ${"x".repeat(100_000)}`);
    // The minimum interval between two states for Copilot CLI.
    await new Promise((resolve) => setTimeout(resolve, 210));
  }
  context.select("the last");
  const text = await readUntil(stream, "the last");
  expect(messagesIn(text).length).toBeLessThan(states / 2);
  expect(context.listener.sessions.size).toBe(2);
  await expectServed(context, otherAgent);
});

test("mentions reach an agent whose stream is cut at every message, in order, each once", async () => {
  const context = await openContext();
  const agent = await new RawHttpAgent(context.listener, copilot).begin();
  await expect.poll(() => [...context.listener.sessions].every(({ ready }) => ready)).toBe(true);
  const [session] = context.listener.sessions;
  const lines = Array.from({ length: 20 }, (_, line) => line);
  const mention = (line: number) =>
    context.editor.mention({
      path: context.pathOf("a.md"),
      lines: { start: line, end: line },
      ...(session !== undefined && { session: session.id }),
    });
  const seen: unknown[] = [];
  let last: string | undefined;
  for (const line of lines) {
    const stream = await agent.listen(last === undefined ? {} : { "last-event-id": last });
    mention(line);
    const text = await readUntil(stream, `"line":${line},`);
    stream.destroy();
    last = [...text.matchAll(/^id: ?(.+)$/gm)].at(-1)?.[1];
    for (const { method, params } of messagesIn(text)) {
      if (method === "add_selection") seen.push(lineIn(params));
    }
  }
  expect(seen).toEqual(lines);
});

function lineIn(params: unknown): unknown {
  const { selection } = params as { selection: { start: { line: number } } };
  return selection.start.line;
}

test("Copilot CLI reconnects by itself, with the selection, after idewire serve was killed", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "a.md"), "one\n");
  const first = startServe(workspace);
  await first.event("listening");
  const agent = new CopilotClient({
    ...{ env: workspace.fixture.env, cwd: workspace.folder, retryFactor: 0.1 },
  });
  onTestFinished(() => agent.exit());
  await agent.start();
  expect(agent.state, agent.problem).toBe("connected");
  first.kill("SIGKILL");
  await first.exited;
  await agent.until("its end", () => agent.state === "disconnected");
  const again = startServe(workspace);
  await again.event("listening");
  await again.do({ do: "select", path: "a.md", range });
  // "after `kill -9` it was connected again by itself, with the selection" (docs/clients/copilot-cli.md, With
  // idewire).
  await agent.until("the selection", () => agent.selection?.text === "o");
});

/** Plays an agent over HTTP in a separate process, and prints the data of its stream. */
const AGENT = `
const { request } = require("node:http");
const { headers, ...place } = JSON.parse(process.argv[1]);
const send = (method, body) => new Promise((resolve) => {
  const type = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const sent = request({ ...place, path: "/mcp", method, headers: { ...type, ...headers } }, resolve);
  sent.end(body && JSON.stringify({ jsonrpc: "2.0", ...body }));
});
(async () => {
  headers["x-copilot-pid"] = String(process.pid);
  const clientInfo = { name: "child", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await send("POST", { id: 1, method: "initialize", params });
  headers["mcp-session-id"] = begun.resume().headers["mcp-session-id"];
  (await send("POST", { method: "notifications/initialized" })).resume();
  (await send("GET")).pipe(process.stdout);
  (await send("POST", { id: 2, method: "tools/list" })).resume();
})();
`;

test("agents that are suspended (Ctrl-Z) for longer than a session lasts reconnect once resumed", async () => {
  const context = await openContext();
  const otherAgent = await context.enable(geminiProfile);
  const ended: unknown[] = [];
  context.listener.on("disconnected", (session) => ended.push(session.agent?.title));
  const children = overHttp.map(([, dialect]) => {
    const { address } = new RawHttpAgent(context.listener, dialect);
    const child = spawn(process.execPath, ["-e", AGENT, JSON.stringify(address)]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
    });
    return {
      child,
      shows: (word: string) => expect.poll(() => text).toContain(word),
    };
  });
  context.select("before");
  for (const { shows } of children) await shows("before");
  for (const { child } of children) child.kill("SIGSTOP");
  // A session expires 30 s after its last stream or request; here the stream stays open for longer.
  const until = performance.now() + 40_000;
  while (performance.now() < until) {
    await expectServed(context, otherAgent);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  expect(ended).toEqual([]);
  for (const { child } of children) child.kill("SIGCONT");
  context.select("after the stop");
  for (const { shows } of children) await shows("after the stop");
  expect(context.listener.sessions.size).toBe(3);
});

/** A name that the family recognises as a discovery file. */
const nameOf = ({ endpoint }: Dialect, port: number) =>
  endpoint.discovery?.fileName({ port, process: { pid: process.pid } }, `other-${port}`) ?? "";

test("a truncated, invalid, stale or foreign discovery file keeps no agent from the editor", async () => {
  const context = await openContext();
  const folders = context.listener.endpoints.flatMap(({ lockFile, dialect }) =>
    lockFile === undefined ? [] : [{ folder: dirname(lockFile), dialect }],
  );
  const whole = context.listener.endpoints.map(({ lockFile }) => lockFile);
  const texts = new Map(
    whole.map((file = "") => [dirname(file), file && readFileSync(file, "utf8")]),
  );
  await context.listener.close();
  for (const { folder, dialect } of folders) {
    const found = allDialects.find(({ id }) => id === dialect);
    if (found === undefined) continue;
    writeFileSync(join(folder, nameOf(found, 1)), '{"port": 1, "workspaceP');
    writeFileSync(join(folder, nameOf(found, 2)), "[]");
    // A file whose endpoint has no listener: a dead socket, a closed port.
    const dead = texts.get(folder) ?? "";
    writeFileSync(join(folder, nameOf(found, 3)), dead, { mode: 0o600 });
    const foreign = join(folder, nameOf(found, 4));
    writeFileSync(foreign, dead, { mode: 0o644 });
    if (process.getuid?.() === 0) chownSync(foreign, 65_534, 65_534);
  }
  const again = await context.listen();
  expect(again.endpoints).toHaveLength(allDialects.length);
  const agents = await Promise.all([context.enable(geminiProfile), context.startCopilot()]);
  await expect.poll(() => agents.map(({ state }) => state)).toEqual(["connected", "connected"]);
});

test("six agents find an editor whose folder is renamed by its new name, and receive new paths", async () => {
  const context = await openContext();
  const { fixture, env, editor, workspace, select } = context;
  const claude = await startClaude(fixture);
  const opencode = startOpencode(fixture);
  await Promise.all([claude.untilReady(), opencode.untilReady()]);
  const [geminiCli, qwenCode] = [
    await context.enable(geminiProfile),
    await context.enable(qwenProfile),
  ];
  const copilotCli = await context.startCopilot();
  const codexCli = new CodexClient({ env, cwd: workspace });
  select("before");
  await expect
    .poll(async () => (await codexCli.context()).activeFile?.activeSelectionContent)
    .toBe("before");
  await geminiCli.until("the selection", () => geminiCli.active?.selectedText === "before");
  await copilotCli.until("the selection", () => copilotCli.selection?.text === "before");
  expect(context.listener.sessions.size).toBe(5);

  const moved = `${workspace}-moved`;
  renameSync(workspace, moved);
  context.move(moved);
  const path = posixPath(join(moved, "a.md"));
  editor.writeFile(path, "one\n");
  editor.open(path);
  editor.setSelection({ path, ranges: [{ ...range, text: "after" }], primary: 0 });
  for (const agent of [geminiCli, qwenCode]) {
    await agent.until("the new place", () => agent.active?.path === path);
  }
  // From now on, agents find the editor by its new name.
  const inMoved = new CodexClient({ env, cwd: moved });
  await expect
    .poll(async () => (await inMoved.context().catch(() => undefined))?.activeFile?.path)
    .toBe("a.md");
  const late = new GeminiClient(geminiProfile, { env, cwd: moved });
  onTestFinished(() => late.exit());
  await expect.poll(() => late.enable()).toBe(true);
  expect([claude.state, opencode.state]).toEqual(["ready", "ready"]);
  expect(context.listener.warnings).toEqual([]);
});

test("idewire serve continues to serve its agents after its folder is renamed on disk", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "a.md"), "one\n");
  const serve = startServe(workspace);
  await serve.event("listening");
  const agent = new GeminiClient(geminiProfile, {
    env: workspace.fixture.env,
    cwd: workspace.folder,
  });
  onTestFinished(() => agent.exit());
  expect(await agent.enable(), agent.problem).toBe(true);
  renameSync(workspace.folder, `${workspace.folder}-moved`);
  const answer = agent.openDiff(join(workspace.folder, "a.md"), "two\n");
  const { diff } = await serve.event("diff-opened", { proposed: "two\n" });
  serve.type({ do: "answerDiff", id: diff, answer: { kind: "rejected" } });
  expect(await answer).toEqual({ status: "rejected" });
  renameSync(`${workspace.folder}-moved`, workspace.folder);
  await serve.do({ do: "open", path: "a.md" });
  const path = join(workspace.folder, "a.md");
  await agent.until("the file", () => agent.active?.path === path);
});
