import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { copilot, type EditorHost, type FileDiagnostics, type PosixPath } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import {
  CopilotClient,
  type CopilotClientOptions,
} from "../src/reference-clients/copilot-client.ts";

function temporary(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "idewire-")));
}

/** A folder with an editor in it, and agents that look for it. */
function openContext(host: (editor: InMemoryEditor) => EditorHost = (editor) => editor) {
  const [home, tmp, folder] = [temporary(), temporary(), temporary()];
  const env = { HOME: home, TMPDIR: tmp };
  const editor = new InMemoryEditor({
    ...{ name: "Test Editor", version: "1.0.0" },
    folder: { path: posixPath(folder), name: "work" },
  });
  const pathOf = (name: string) => posixPath(join(folder, name));
  editor.writeFile(pathOf("a.md"), "one\ntwo\n");
  const listen = async (options: Partial<ListenIdeOptions> = {}): Promise<IdeListener> => {
    const listener = await listenIde(host(editor), { dialects: [copilot], env, ...options });
    onTestFinished(() => listener.close());
    return listener;
  };
  const start = async (more: Partial<CopilotClientOptions> = {}) => {
    const agent = new CopilotClient({ env, cwd: folder, retryFactor: 0.1, ...more });
    onTestFinished(() => agent.exit());
    await agent.start();
    return agent;
  };
  const connect = async (more: Partial<CopilotClientOptions> = {}) => {
    const agent = await start(more);
    expect(agent.state, agent.problem).toBe("connected");
    return agent;
  };
  const select = (path: PosixPath, text: string) => {
    editor.open(path);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
    editor.setSelection({ path, ranges: [{ ...range, text }], primary: 0 });
  };
  return { home, tmp, folder, env, editor, pathOf, listen, start, connect, select };
}

// "Any `*.lock` in `$COPILOT_HOME/ide`, or `~/.copilot/ide`" (docs/clients/copilot-cli.md, Discovery).
test("it finds the editor, which shows its name and its process", async () => {
  const { listen, connect } = openContext();
  const listener = await listen();
  const agent = await connect();
  expect([...agent.tools].sort().join(" ")).toBe(
    "close_diff get_diagnostics get_selection get_vscode_info open_diff update_session_name",
  );
  const [session] = listener.sessions;
  expect(session?.agent).toMatchObject({ title: "Copilot CLI", version: "1.0.102" });
  expect(session?.pid).toBe(process.pid);
});

// "If it is refused, by HTTP 400", "the client falls back to `initialize`" (docs/clients/copilot-cli.md,
// Handshake).
test("server/discover is refused: it falls back to initialize, and goes on listening", async () => {
  const { listen, connect, select, pathOf } = openContext();
  await listen();
  const agent = await connect();
  expect(agent.handshakes).toBe(1);
  select(pathOf("a.md"), "one");
  await agent.until("the selection", () => agent.selection?.text === "one");
});

test("it receives the selection at the start and at each change, the empty one too", async () => {
  const { listen, connect, select, pathOf, editor } = openContext();
  await listen();
  select(pathOf("a.md"), "on");
  const agent = await connect();
  await agent.until("the selection", () => agent.selection?.text === "on");
  // "`{ text, filePath, fileUrl, selection: { start, end, isEmpty }, current? }`, 0-based"
  // (docs/clients/copilot-cli.md, Notifications).
  expect(agent.selection).toMatchObject({
    filePath: pathOf("a.md"),
    fileUrl: `file://${pathOf("a.md")}`,
    selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 2 }, isEmpty: false },
  });
  select(pathOf("a.md"), "one");
  await agent.until("the change", () => agent.selection?.text === "one");
  editor.setSelection(undefined);
  await agent.until("nothing selected", () => agent.selection?.selection.isEmpty === true);
});

test("it receives only what the person has chosen to share", async () => {
  const { listen, connect, select, pathOf } = openContext();
  const listener = await listen();
  const agent = await connect();
  select(pathOf("a.md"), "one");
  await agent.until("the selection", () => agent.selection?.text === "one");
  listener.share = { ...listener.share, level: "off" };
  await agent.until("its end", () => agent.selection?.selection.isEmpty === true);
  expect(await agent.call("get_selection")).toBe(null);
});

// "Both put `@file`, or `@file:3-5`"; "for one chosen session" (docs/clients/copilot-cli.md, Notifications).
test("a mention of a file or of its lines appears in the prompt of one session alone", async () => {
  const { listen, connect, editor, pathOf } = openContext();
  const listener = await listen();
  const [agent, other] = [await connect(), await connect()];
  await expect.poll(() => [...listener.sessions].every(({ ready }) => ready)).toBe(true);
  const [session] = listener.sessions;
  const path = pathOf("a.md");
  const chosen = { path, ...(session !== undefined && { session: session.id }) };
  editor.mention(chosen);
  await agent.until("the file", () => agent.input === `@${path} `);
  editor.mention({ ...chosen, lines: { start: 0, end: 1 } });
  editor.mention({ ...chosen, lines: { start: 1, end: 1 } });
  await agent.until("the lines", () => agent.input === `@${path} @${path}:1-2 @${path}:2 `);
  expect(other.input).toBe("");
});

test.each([
  [{ kind: "accepted", text: "new\n", edited: false }, "SAVED", "accepted_via_button"],
  [{ kind: "rejected" }, "REJECTED", "rejected_via_button"],
  // "A diff that is closed without an answer is rejected (`closed_via_tool`)" (docs/clients/copilot-cli.md, With
  // idewire).
  [{ kind: "closed" }, "REJECTED", "closed_via_tool"],
] as const)("a diff that is %j is answered", async (outcome, result, trigger) => {
  const { listen, connect, editor, pathOf } = openContext();
  await listen();
  const agent = await connect();
  const answer = agent.openDiff(pathOf("a.md"), "new\n", "tab");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  const [diff] = editor.shownDiffs;
  expect(diff).toMatchObject({ path: pathOf("a.md"), proposed: "new\n", title: "tab" });
  editor.answerDiff(diff?.id ?? "", outcome);
  expect(await answer).toMatchObject({ success: true, result, trigger, tab_name: "tab" });
});

test("a text that the person has edited is not attributed to the agent", async () => {
  const { listen, connect, editor, pathOf } = openContext();
  await listen();
  const agent = await connect();
  const answer = agent.openDiff(pathOf("a.md"), "new\n", "tab");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "mine\n" });
  // "The client writes the file, and takes no edited text back" (docs/clients/copilot-cli.md, Tools).
  expect(await answer).toMatchObject({ result: "REJECTED" });
});

// "An answer in the terminal leads to `close_diff`" (docs/clients/copilot-cli.md, Tools).
test("a diff that is answered in the agent is closed in the editor", async () => {
  const { listen, connect, editor, pathOf } = openContext();
  await listen();
  const agent = await connect();
  const answer = agent.openDiff(pathOf("a.md"), "new\n", "tab");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  expect(await agent.answerInTerminal("tab")).toMatchObject({ already_closed: false });
  expect(editor.shownDiffs).toEqual([]);
  expect(await answer).toMatchObject({ result: "REJECTED" });
  expect(await agent.answerInTerminal("tab")).toMatchObject({ already_closed: true });
});

// "`[{ uri, filePath, diagnostics: [{ message, severity, range, source, code }] }]`"
// (docs/clients/copilot-cli.md, Tools).
test("its model can request diagnostics and the selection", async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const problem = {
    message: "odd",
    severity: "warning",
    range,
    source: "lint",
    code: "x",
  } as const;
  const { listen, connect, select, pathOf } = openContext((editor) =>
    Object.assign(editor, {
      diagnostics: async (): Promise<readonly FileDiagnostics[]> => [
        {
          path: posixPath(join(editor.workspace().folders[0]?.path ?? "", "a.md")),
          diagnostics: [problem],
        },
      ],
    }),
  );
  await listen();
  const agent = await connect();
  const filePath = pathOf("a.md");
  const expected = [{ uri: `file://${filePath}`, filePath, diagnostics: [problem] }];
  expect(await agent.call("get_diagnostics")).toEqual(expected);
  expect(await agent.call("get_diagnostics", { uri: `file://${filePath}` })).toEqual(expected);
  select(pathOf("a.md"), "one");
  expect(await agent.call("get_selection")).toMatchObject({ text: "one", current: true });
});

// "`update_session_name`": "called at the start, with the title of the prompt" (docs/clients/copilot-cli.md,
// Tools).
test("the title of its session is updated as it changes", async () => {
  const { listen, connect } = openContext();
  const listener = await listen();
  const titles: unknown[] = [];
  const agent = await connect();
  listener.on("identified", ({ title }) => titles.push(title));
  expect(await agent.call("update_session_name", { name: "Fix it" })).toEqual({ success: true });
  expect([...listener.sessions].map(({ title }) => title)).toEqual(["Fix it"]);
  expect(titles).toEqual(["Fix it"]);
});

// "The client watches the directory: it connects by itself" (docs/clients/copilot-cli.md, Discovery).
test("it reconnects by itself after the editor has restarted", async () => {
  const { listen, connect, select, pathOf } = openContext();
  const first = await listen();
  const agent = await connect();
  await first.close();
  await agent.until("its end", () => agent.state === "disconnected");
  const again = await listen();
  select(pathOf("a.md"), "one");
  await agent.until("the context", () => agent.selection?.text === "one");
  expect([...again.sessions].map(({ agent }) => agent?.title)).toEqual(["Copilot CLI"]);
});

test("it finds an editor that starts after it", async () => {
  const { listen, start } = openContext();
  const agent = await start();
  expect(agent.state).toBe("searching");
  await listen();
  await agent.until("the editor", () => agent.state === "connected");
});

test("a second initialize of its session replaces the first, whose diffs close", async () => {
  const { listen, connect, editor, pathOf } = openContext();
  const listener = await listen();
  const first = await connect({ sessionId: "same" });
  void first.openDiff(pathOf("a.md"), "new\n", "tab").catch(() => undefined);
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  const [before] = listener.sessions;
  await connect({ sessionId: "same" });
  await expect.poll(() => editor.shownDiffs).toEqual([]);
  expect(listener.sessions.size).toBe(1);
  expect([...listener.sessions]).not.toContain(before);
  await connect({ sessionId: "other" });
  expect(listener.sessions.size).toBe(2);
});

test("its session ends when it disconnects, and when its process has ended", async () => {
  const { listen, connect, editor, pathOf } = openContext();
  const listener = await listen();
  const agent = await connect();
  await agent.exit();
  await expect.poll(() => listener.sessions.size).toBe(0);
  const sleeper = spawn("sleep", ["60"]);
  const killed = await connect({ pid: sleeper.pid ?? 0 });
  void killed.openDiff(pathOf("a.md"), "new\n", "tab").catch(() => undefined);
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  sleeper.kill("SIGKILL");
  await expect.poll(() => listener.sessions.size).toBe(0);
  expect(editor.shownDiffs).toEqual([]);
});

test("its file and socket are private, and are removed with the editor", async () => {
  const { listen, home, tmp } = openContext();
  const listener = await listen();
  const [{ lockFile = "", socketPath = "" } = {}] = listener.endpoints;
  expect(dirname(lockFile)).toBe(join(home, ".copilot", "ide"));
  expect(socketPath.startsWith(tmp)).toBe(true);
  for (const path of [lockFile, socketPath]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  }
  await listener.close();
  expect(readdirSync(dirname(lockFile))).toEqual([]);
  expect(readdirSync(dirname(socketPath))).toEqual([]);
});

test("a half-written file is read again, and one of a dead process is skipped", async () => {
  const { listen, start, home } = openContext();
  const listener = await listen();
  const [{ lockFile = "" } = {}] = listener.endpoints;
  const text = readFileSync(lockFile, "utf8");
  const folder = join(home, ".copilot", "ide");
  writeFileSync(join(folder, "half.lock"), text.slice(0, 40));
  writeFileSync(
    join(folder, "dead.lock"),
    JSON.stringify({ ...JSON.parse(text), pid: 2 ** 22 - 1 }),
  );
  const agent = await start();
  expect(agent.state, agent.problem).toBe("connected");
  expect(existsSync(join(folder, "dead.lock"))).toBe(true);
});
