import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CloseReason, IdewireError } from "@idewire/core/rpc";
import { fakeEditorHost, type ManualClock, manualClock, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { listenIde } from "../listen/listen.ts";
import type { IdeListener, ListenIdeOptions } from "../listen/listen-options.ts";
import { connectIde } from "./connect.ts";
import type { ConnectIdeOptions, IdeConnection } from "./connect-options.ts";
import type { EditorMention, EditorSelection } from "./editor-messages.ts";

const info = { name: "test-agent", version: "1" };

/** A temporary home, a working folder, editors that serve it, and agents in it. */
function openPlace() {
  const root = temporaryFolder("idewire-");
  const work = join(root, "work");
  mkdirSync(work);
  const env = { HOME: root };
  return {
    root,
    work,
    env,
    async serve(folder = work, options: Partial<ListenIdeOptions> = {}) {
      const host = fakeEditorHost();
      host.folders = [{ path: posixPath(folder), name: "work" }];
      const listener = await listenIde(host, { env, resume: false, ...options });
      onTestFinished(() => listener.close());
      return { host, listener, port: portOf(listener) };
    },
    async connect(options: Partial<ConnectIdeOptions> = {}): Promise<IdeConnection> {
      const agent = await connectIde({ ...info, cwd: work, env, ...options });
      onTestFinished(() => agent.close());
      return agent;
    },
  };
}

function portOf(listener: IdeListener): number {
  return listener.endpoints[0]?.port ?? 0;
}

/** Changes the one lock file of a listener. */
function rewriteLock({ endpoints }: IdeListener, members: object): void {
  const file = endpoints[0]?.lockFile ?? "";
  const lock = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...lock, ...members }));
}

test("an agent completes Claude Code's handshake, and receives selection and mention", async () => {
  const { serve, connect, work } = openPlace();
  const { host, listener, port } = await serve();
  const file = posixPath(join(work, "a.txt"));
  const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 3 } };
  host.setSelection({ path: file, ranges: [{ ...range, text: "some" }], primary: 0 });
  const agent = await connect({ pid: 4711 });
  const selections: (EditorSelection | undefined)[] = [];
  const mentions: EditorMention[] = [];
  agent.on("selection", (selection) => selections.push(selection));
  agent.on("mention", (mention) => mentions.push(mention));
  const expected = { filePath: file, text: "some", selection: range };
  await vi.waitFor(() => expect(selections).toEqual([expected]), 60_000);
  expect(agent.selection).toEqual(expected);
  host.setSelection(undefined);
  host.mention({ path: file, lines: { start: 1, end: 2 } });
  host.mention({ path: file });
  await vi.waitFor(() => expect(mentions).toHaveLength(2), 60_000);
  expect(mentions).toEqual([{ filePath: file, lines: { start: 1, end: 2 } }, { filePath: file }]);
  await vi.waitFor(() => expect(selections.at(-1)).toBeUndefined(), 60_000);
  const [session] = listener.sessions;
  expect(session).toMatchObject({ agent: info, pid: 4711 });
  expect(agent.editor).toMatchObject({ port, name: "Fake Editor", folders: [work] });
  expect(agent.editor?.tools.map(({ name }) => name)).toContain("openDiff");
  expect(JSON.stringify(agent.editor)).not.toContain("authToken");
});

test("the calls are typed: diffs, tabs, diagnostics, and any tool", async () => {
  const { serve, connect, work } = openPlace();
  const { host } = await serve();
  const agent = await connect();
  const file = posixPath(join(work, "ü 100%.txt"));
  const answers = [
    { kind: "accepted", text: "mine", edited: true },
    { kind: "accepted", text: "new", edited: false },
    { kind: "rejected" },
    { kind: "closed" },
  ] as const;
  const received: unknown[] = [];
  for (const answer of answers) {
    const answered = agent.openDiff({ filePath: file, newText: "new" });
    await vi.waitFor(() => expect(host.shownDiffs).toHaveLength(1), 60_000);
    host.answerDiff(host.shownDiffs[0]?.id ?? ("" as never), answer);
    received.push(await answered);
  }
  expect(received).toEqual([answers[0], answers[1], { kind: "rejected" }, { kind: "rejected" }]);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  host.setDiagnostics([
    { path: file, diagnostics: [{ message: "bad", severity: "error", range, source: "x" }] },
  ]);
  const findings = { message: "bad", severity: "Error", range, source: "x" };
  expect(await agent.getDiagnostics()).toEqual([{ filePath: file, diagnostics: [findings] }]);
  expect(await agent.getDiagnostics(file)).toEqual([{ filePath: file, diagnostics: [findings] }]);
  const open = agent.openDiff({ filePath: file, newText: "1", tabName: "tab" });
  await vi.waitFor(() => expect(host.shownDiffs).toHaveLength(1), 60_000);
  expect(await agent.closeAllDiffTabs()).toBe(1);
  expect(await open).toEqual({ kind: "rejected" });
  await agent.closeTab("tab");
  expect((await agent.callTool("getWorkspaceFolders")).content[0]?.type).toBe("text");
  await expect(agent.callTool("dance")).rejects.toMatchObject({ code: -32602 });
});

test("aborting a proposal closes its tab", async () => {
  const { serve, connect, work } = openPlace();
  const { host } = await serve();
  const agent = await connect();
  const abort = new AbortController();
  const answered = agent.openDiff({ filePath: join(work, "a"), newText: "" }, abort.signal);
  await vi.waitFor(() => expect(host.shownDiffs).toHaveLength(1), 60_000);
  abort.abort();
  await expect(answered).rejects.toMatchObject({ code: "cancelled" });
  await vi.waitFor(() => expect(host.shownDiffs).toEqual([]), 60_000);
});

test("an editor that returns elsewhere, with another token, is found again", async () => {
  const { serve, connect } = openPlace();
  const first = await serve();
  const agent = await connect();
  const gone: [CloseReason, number | undefined][] = [];
  agent.on("disconnected", (...event) => gone.push(event));
  const back = new Promise<number>((resolve) => {
    agent.on("connected", ({ port = 0 }) => resolve(port));
  });
  await first.listener.close();
  await expect(agent.callTool("getDiagnostics")).rejects.toMatchObject({ code: "closed" });
  const second = await serve();
  expect(await back).toBe(second.port);
  expect(gone).toEqual([[{ code: 1001, reason: "The editor has closed" }, 0]]);
  expect(await agent.getDiagnostics()).toEqual([]);
});

/** Advances the clock, and waits until an attempt with the file system and a socket has ended. */
async function advance(clock: ManualClock, ms: number, holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(0), 60_000);
  clock.advance(ms);
  await vi.waitFor(() => expect(holds()).toBe(true), 60_000);
}

test("attempts are made at once, then after 1, 2, 4 … seconds, until it gives up", async () => {
  const { serve, connect } = openPlace();
  const { listener } = await serve();
  const clock = manualClock();
  const agent = await connect({
    reconnect: { clock, maxTries: 5, maxDelayMs: 4_000, random: () => 0.5 },
  });
  const delays: (number | undefined)[] = [];
  const codes: unknown[] = [];
  agent.on("disconnected", (_, delayMs) => delays.push(delayMs));
  agent.on("retryFailed", (error, delayMs) => {
    codes.push(error instanceof IdewireError && error.code);
    delays.push(delayMs);
  });
  await listener.close();
  for (let tries = 1; tries <= 5; tries += 1) {
    await vi.waitFor(() => expect(delays).toHaveLength(tries), 60_000);
    await advance(clock, delays.at(-1) ?? 0, () => delays.length > tries);
  }
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 4_000, undefined]);
  expect(codes).toEqual(Array(5).fill("no-editor"));
  await agent.closed;
});

test("an editor that closes each connection at once is not retried at once each time", async () => {
  const { serve, connect } = openPlace();
  const { listener } = await serve();
  const clock = manualClock();
  const agent = await connect({ reconnect: { clock, random: () => 0.5 } });
  const delays: (number | undefined)[] = [];
  agent.on("disconnected", (_, delayMs) => delays.push(delayMs));
  for (const [lastingMs, delayMs] of [
    [0, 0],
    [0, 1_000],
    [9_999, 2_000],
    [10_000, 0],
  ] as const) {
    clock.advance(lastingMs);
    for (const session of listener.sessions) session.close(1013, "later");
    await vi.waitFor(() => expect(delays.at(-1)).toBe(delayMs), 60_000);
    await advance(clock, delayMs, () => agent.editor !== undefined);
  }
});

test("without rereading lock files it uses the first port and token only", async () => {
  const { serve, connect } = openPlace();
  const first = await serve();
  const clock = manualClock();
  const agent = await connect({ reconnect: { clock, rereadLockFiles: false } });
  const errors: unknown[] = [];
  agent.on("retryFailed", (error) => errors.push((error as IdewireError).code));
  await first.listener.close();
  await serve();
  await advance(clock, 0, () => errors.length > 0);
  expect(errors).toEqual(["unreachable"]);
});

test("an agent that does not reconnect ends with its editor", async () => {
  const { serve, connect } = openPlace();
  const { listener } = await serve();
  const agent = await connect({ reconnect: false });
  await listener.close();
  await agent.closed;
  expect(agent.editor).toBeUndefined();
});

test("the nearer of two editors is chosen, or the other if that does not answer", async () => {
  const { serve, connect, root } = openPlace();
  const outer = await serve(root);
  const inner = await serve();
  expect((await connect()).editor?.port).toBe(inner.port);
  const wanted = await connect({ choose: (editors) => [...editors].reverse() });
  expect(wanted.editor?.port).toBe(outer.port);
  rewriteLock(inner.listener, { authToken: "wrong" });
  expect((await connect()).editor?.port).toBe(outer.port);
});

test("a wrong token is reported as such", async () => {
  const { serve, connect } = openPlace();
  const { listener, port } = await serve();
  rewriteLock(listener, { authToken: "wrong" });
  const words = `The editor on port ${port} closed with 1008: Invalid or missing authentication token`;
  await expect(connect()).rejects.toMatchObject({ code: "unauthorized", message: words });
  rewriteLock(listener, { authToken: undefined });
  await expect(connect()).rejects.toMatchObject({ code: "unauthorized" });
});

test("without an editor it lists what was skipped, with the reasons", async () => {
  const { serve, connect, root, work } = openPlace();
  const looked = join(root, ".claude", "ide");
  const advice = `Start one: idewire serve ${work}, or the editor with its plugin. idewire doctor explains more.`;
  const nothing = `No running editor is for ${work}.\nThere is no lock file in ${looked}\n${advice}`;
  await expect(connect()).rejects.toMatchObject({ code: "no-editor", message: nothing });
  mkdirSync(join(root, "other"));
  const { listener } = await serve(join(root, "other"));
  const lockFile = listener.endpoints[0]?.lockFile;
  const passed = `No running editor is for ${work}.\n${lockFile}: it is for ${root}/other\n${advice}`;
  await expect(connect()).rejects.toMatchObject({ message: passed });
});
