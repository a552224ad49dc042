import { cpSync, mkdtempSync, readdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gemini, type PosixPath, qwen } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { deliveryOf } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import {
  GeminiClient,
  type GeminiProfile,
  geminiProfile,
  qwenProfile,
} from "../src/reference-clients/gemini-client.ts";

const agents: readonly (readonly [string, GeminiProfile])[] = [
  ["Gemini CLI", geminiProfile],
  ["Qwen Code", qwenProfile],
];

function temporary(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "idewire-")));
}

/** A folder with an editor in it, and agents that look for it. */
function openContext(options: Partial<ListenIdeOptions> = {}) {
  const [home, tmp, folder] = [temporary(), temporary(), temporary()];
  const env = { HOME: home, TMPDIR: tmp };
  const editor = new InMemoryEditor({
    ...{ name: "Test Editor", version: "1.0.0" },
    folder: { path: posixPath(folder), name: "work" },
  });
  const pathOf = (name: string) => posixPath(join(folder, name));
  editor.writeFile(pathOf("a.md"), "one\ntwo\n");
  editor.writeFile(pathOf("b.md"), "b\n");
  const listen = async (): Promise<IdeListener> => {
    const listener = await listenIde(editor, {
      ...{ dialects: [gemini, qwen], env, share: { level: "all" } as const },
      ...options,
    });
    onTestFinished(() => listener.close());
    return listener;
  };
  const start = async (profile: GeminiProfile, more = {}) => {
    const agent = new GeminiClient(profile, { env, cwd: folder, ...more });
    onTestFinished(() => agent.exit());
    expect(await agent.enable(), agent.problem).toBe(true);
    return agent;
  };
  const select = (path: PosixPath, text: string) => {
    editor.open(path);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
    editor.setSelection({ path, ranges: [{ ...range, text }], primary: 0 });
  };
  return { ...{ home, tmp, folder, env, editor, pathOf, listen, start, select } };
}

// "`<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json`" (docs/clients/gemini-cli.md, Discovery);
// "`~/.qwen/ide/<port>.lock`" (docs/clients/qwen-code.md, Discovery).
test.each(agents)("%s finds the editor, which shows its name", async (name, profile) => {
  const { listen, start } = openContext();
  const listener = await listen();
  await start(profile);
  expect([...listener.sessions].map(({ agent }) => agent?.title)).toEqual([name]);
});

test.each(agents)(
  "%s receives the selection at the start and at each change",
  async (_, profile) => {
    const { listen, start, select, pathOf } = openContext();
    await listen();
    select(pathOf("a.md"), "on");
    const agent = await start(profile);
    const [path, other] = [pathOf("a.md"), pathOf("b.md")];
    // "Positions are 1-based; there is a cursor and no range" (docs/clients/gemini-cli.md, Context).
    const cursor = { line: 1, character: 3 };
    await agent.until("the selection", () => agent.active?.selectedText === "on");
    expect(agent.active).toMatchObject({ path, isActive: true, cursor });
    expect(agent.isTrusted).toBe(true);
    select(other, "b");
    await agent.until("the other file", () => agent.active?.path === other);
    // "The client keeps 10 files, and cursor and selection of the newest only" (docs/clients/gemini-cli.md,
    // Context).
    expect(agent.openFiles.map((file) => file.path)).toEqual([other, path]);
  },
);

test.each(agents)(
  "%s is notified when nothing is selected, and when no file is open",
  async (_, profile) => {
    const { listen, start, select, pathOf, editor } = openContext();
    await listen();
    const agent = await start(profile);
    select(pathOf("a.md"), "one");
    await agent.until("the selection", () => agent.active?.selectedText === "one");
    const at = { line: 1, character: 0 };
    editor.setSelection({
      path: pathOf("a.md"),
      ranges: [{ start: at, end: at, text: "" }],
      primary: 0,
    });
    // "`ide/contextUpdate` carries the whole state each time" (docs/clients/gemini-cli.md, Context).
    await agent.until("the cursor", () => agent.active?.cursor?.line === 2);
    expect(agent.active).not.toHaveProperty("selectedText");
    editor.closeDocument(pathOf("a.md"), { discard: true });
    await agent.until("no file", () => agent.openFiles.length === 0);
  },
);

test.each(agents)("%s receives the state on a stream that opens late, too", async (_, profile) => {
  const { listen, start, select, pathOf } = openContext();
  const listener = await listen();
  select(pathOf("a.md"), "one");
  const agent = await start(profile, { streamDelayMs: 500 });
  await expect.poll(() => [...listener.sessions].every(({ ready }) => ready)).toBe(true);
  expect(agent.active).toBe(undefined);
  await agent.until("the selection", () => agent.active?.selectedText === "one");
});

test.each(agents)("%s writes the text as the person has edited it", async (_, profile) => {
  const { listen, start, editor, pathOf } = openContext();
  await listen();
  const agent = await start(profile);
  const answer = agent.openDiff(pathOf("a.md"), "two\n");
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  const [diff] = editor.shownDiffs;
  // "`ide/diffAccepted` `{ filePath, content }`": "An accepted text is written by the client"
  // (docs/clients/gemini-cli.md, Diffs).
  editor.answerDiff(diff?.id ?? "", { kind: "accepted", text: "two\nedited\n" });
  expect(await answer).toEqual({ status: "accepted", content: "two\nedited\n" });
});

test.each(agents)(
  "a person may take longer over a diff of %s than its time-out of requests, and one diff waits for another",
  async (_, profile) => {
    const { listen, start, editor, pathOf } = openContext();
    await listen();
    // "One diff at a time, with a limit of 10 minutes" (docs/clients/gemini-cli.md, Diffs).
    const agent = await start(profile, { requestMs: 1_000 });
    const first = agent.openDiff(pathOf("a.md"), "two\n");
    const second = agent.openDiff(pathOf("b.md"), "B\n");
    await expect.poll(() => editor.shownDiffs.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "two\n" });
    expect(await first).toEqual({ status: "accepted", content: "two\n" });
    await expect.poll(() => editor.shownDiffs.map((diff) => diff.path)).toEqual([pathOf("b.md")]);
    editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "rejected" });
    expect(await second).toEqual({ status: "rejected" });
  },
);

test("Qwen Code that gave up at its start connects after /ide enable, once", async () => {
  const { listen, env, folder, select, pathOf } = openContext();
  const listener = await listen();
  select(pathOf("a.md"), "one");
  // "15 s after its start it gives up" (docs/clients/qwen-code.md, Connection).
  const limits = { connectMs: 200, handshakeDelayMs: 400 };
  const late = new GeminiClient(qwenProfile, { env, cwd: folder, ...limits });
  onTestFinished(() => late.exit());
  expect(await late.enable()).toBe(false);
  expect(late.problem).toContain("ide_connect timed out after 200ms");
  const agent = new GeminiClient(qwenProfile, { env, cwd: folder });
  onTestFinished(() => agent.exit());
  expect(await agent.enable(), agent.problem).toBe(true);
  await agent.until("the selection", () => agent.active?.selectedText === "one");
  expect([late.hasDiffs, agent.hasDiffs]).toEqual([false, true]);
  const known = () => [...listener.sessions].filter(({ ready }) => ready);
  await expect.poll(() => known().map(({ agent: facts }) => facts?.title)).toEqual(["Qwen Code"]);
});

test.each(agents)(
  "a diff that the person rejects or closes is rejected for %s",
  async (_, profile) => {
    const { listen, start, editor, pathOf } = openContext();
    await listen();
    const agent = await start(profile);
    for (const kind of ["rejected", "closed"] as const) {
      const answer = agent.openDiff(pathOf("a.md"), "two\n");
      await expect.poll(() => editor.shownDiffs.length).toBe(1);
      editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind });
      // "or `ide/diffRejected` `{ filePath }`" (docs/clients/gemini-cli.md, Diffs).
      expect(await answer).toEqual({ status: "rejected" });
    }
  },
);

test.each(agents)(
  "a diff that is answered in %s is closed in the editor, and returns its text",
  async (_, profile) => {
    const { listen, start, editor, pathOf } = openContext();
    await listen();
    const agent = await start(profile);
    void agent.openDiff(pathOf("a.md"), "two\n");
    await expect.poll(() => editor.shownDiffs.length).toBe(1);
    expect(await agent.answerInTerminal(pathOf("a.md"), true)).toBe("two\n");
    expect(editor.shownDiffs).toEqual([]);
    // "After an answer in the terminal the client calls `closeDiff`": no outcome follows
    // (docs/clients/gemini-cli.md, Diffs).
    expect(agent.notifications.filter(({ method }) => method.startsWith("ide/diff"))).toEqual([]);
    expect(await agent.answerInTerminal(pathOf("a.md"), true)).toBe(undefined);
  },
);

test.each(agents)(
  "%s reconnects with context and diffs after the editor has restarted",
  async (_, profile) => {
    const { listen, start, editor, pathOf, select } = openContext();
    const first = await listen();
    select(pathOf("a.md"), "a");
    const agent = await start(profile);
    await agent.until("its stream", () => agent.active?.selectedText === "a");
    // "When the server ends the stream in order, after `retry: 3000`, it returns after 3 s"
    // (docs/clients/gemini-cli.md, Connection).
    await first.close();
    const again = await listen();
    select(pathOf("b.md"), "b");
    await agent.until("the context", () => agent.active?.selectedText === "b");
    expect(agent.hasDiffs, agent.problem).toBe(true);
    expect([...again.sessions].map(({ agent }) => agent?.title)).toHaveLength(1);
    const answer = agent.openDiff(pathOf("a.md"), "two\n");
    await expect.poll(() => editor.shownDiffs.length).toBe(1);
    editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "two\n" });
    expect(await answer).toEqual({ status: "accepted", content: "two\n" });
  },
);

test.each(agents)(
  "after a crash a warning names the command to type in %s",
  async (name, profile) => {
    const { listen, start, home } = openContext();
    const first = await listen();
    await start(profile);
    // Restores the state that a killed process leaves.
    const state = join(home, ".local/state/idewire");
    const isFile = (path: string) => !path.endsWith(".sock");
    cpSync(state, join(home, "kept"), { recursive: true, filter: isFile });
    await first.close();
    cpSync(join(home, "kept"), state, { recursive: true });
    const again = await listen();
    const warnings = () => again.warnings.map(({ message }) => message).join();
    await expect.poll(warnings).toContain(`${name} was connected when idewire was killed`);
    expect(warnings()).toContain("type /ide enable in it");
  },
);

test("after an orderly exit nothing needs to be typed", async () => {
  const { listen, start, select, pathOf } = openContext();
  const first = await listen();
  select(pathOf("a.md"), "a");
  const agent = await start(geminiProfile);
  // The editor ends in order only for an agent whose stream is open.
  await agent.until("its stream", () => agent.active?.selectedText === "a");
  await first.close();
  const again = await listen();
  await expect.poll(() => [again.sessions.size, agent.hasDiffs]).toEqual([1, true]);
  expect(again.warnings).toEqual([]);
});

test("a proposal of 10 MB is shown, and its text is returned", async () => {
  const { listen, start, editor, pathOf } = openContext();
  await listen();
  const agent = await start(geminiProfile);
  const text = "0123456789abcde\n".repeat((10 * 1024 * 1024) / 16);
  const answer = agent.openDiff(pathOf("a.md"), text);
  await expect.poll(() => editor.shownDiffs.length).toBe(1);
  editor.answerDiff(editor.shownDiffs[0]?.id ?? "", { kind: "accepted", text: `${text}x` });
  expect((await answer).status).toBe("accepted");
  expect(agent.state).toBe("connected");
});

// "It cannot be sent a mention" (docs/clients/gemini-cli.md, With idewire).
test.each(agents)("a mention that %s cannot receive is reported", async (name, profile) => {
  const { listen, start, pathOf, editor } = openContext();
  const listener = await listen();
  const agent = await start(profile);
  expect(() => deliveryOf({ path: pathOf("a.md") }, listener)).toThrow(
    `no agent received it: ${name} cannot be sent a mention`,
  );
  editor.mention({ path: pathOf("a.md") });
  editor.open(pathOf("b.md"));
  await agent.until("the next state", () => agent.active?.path === pathOf("b.md"));
  expect(new Set(agent.notifications.map(({ method }) => method))).toEqual(
    new Set(["ide/contextUpdate"]),
  );
});

test("the files of both are private, and are removed with the editor", async () => {
  const { listen, home, tmp } = openContext();
  const listener = await listen();
  const folders = [join(tmp, "gemini", "ide"), join(home, ".qwen", "ide")];
  for (const folder of folders) {
    const [name = ""] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  await listener.close();
  expect(folders.map((folder) => readdirSync(folder))).toEqual([[], []]);
});
