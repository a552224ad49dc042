import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import type { PendingEdit } from "../src/reference-clients/claude-edit.ts";
import type { ServedSession } from "../src/reference-clients/serve-context.ts";
import {
  openServedSession,
  openWorkspace,
  startClient,
  startServe,
  write,
} from "../src/reference-clients/serve-context.ts";
import { span, toObject } from "../src/reference-clients/wire.ts";

/** The text of the answer to openDiff. */
function diffAnswer(client: ClaudeClient, edit: PendingEdit): unknown {
  const answer = client.transcript
    .received()
    .find((frame) => frame.id === edit.openDiff?.id && frame.method === undefined);
  return toObject(answer?.result)["content"];
}

async function expectCleanEnd(served: ServedSession): Promise<void> {
  await served.client.exit();
  expect(served.client.violations).toEqual([]);
  expect(served.serve.strayLines).toEqual([]);
  const numbers = served.serve.events.map((event) => event.seq);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
}

// "The client scans `ide/` in its configuration directory for files whose names end in `.lock`"
// (docs/clients/claude-code.md, Discovery).
test("the lock file is private, correct and found, whichever side starts first", async () => {
  const workspace = openWorkspace();
  const early = await startClient(workspace);
  const serve = startServe(workspace);
  const { port, lockFile } = await serve.event("listening");
  const path = String(lockFile);
  expect(path).toBe(join(workspace.env.CLAUDE_CONFIG_DIR ?? "", "ide", `${String(port)}.lock`));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  const lock = toObject(JSON.parse(readFileSync(path, "utf8")));
  expect(lock).toMatchObject({
    pid: serve.pid,
    workspaceFolders: [workspace.folder],
    transport: "ws",
    generator: "idewire",
    ideName: expect.any(String),
    authToken: expect.stringMatching(/^[\w-]{86}$/),
  });
  await early.untilReady();
  const late = await startClient(workspace, {
    cwd: join(write(workspace, "deep/er/x.txt", ""), ".."),
  });
  await late.untilReady();
  const sessions = [await serve.event("initialized"), await serve.event("initialized")];
  for (const event of sessions) {
    expect(event).toMatchObject({ agent: "claude-code", version: "2.1.330" });
  }
  expect(sessions[0]?.["session"]).not.toBe(sessions[1]?.["session"]);
  const connected = await serve.event("notification", { method: "ide_connected" });
  expect(connected["params"]).toEqual({ pid: process.pid });
  for (const client of [early, late]) {
    await client.until("the tools", () => client.modelTools.includes("mcp__ide__getDiagnostics"));
    await client.exit();
    expect(client.violations).toEqual([]);
  }
  await serve.event("disconnected");
});

test("without CLAUDE_CONFIG_DIR the lock file is in the home directory", async () => {
  const workspace = openWorkspace("home");
  const serve = startServe(workspace);
  const { port, lockFile } = await serve.event("listening");
  expect(lockFile).toBe(join(workspace.fixture.lockFolder, `${String(port)}.lock`));
  const client = await startClient(workspace);
  await client.untilReady();
  expect(client.violations).toEqual([]);
});

// "One prompt consumes the selection"; "A zero-width selection without `filePath` and text" clears it
// (docs/clients/claude-code.md, Notifications).
test("a selection reaches one prompt, is cleared, and is re-sent after a drop", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const name = "Notizen/Übersicht 🙂 100%20.md";
  const filePath = write(workspace, name, "# eins\nzwei 🙂\ndrei\n");
  await serve.do({ do: "select", path: filePath, range: span(1, 0, 2, 4) });
  await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
  expect((await client.prompt("why?")).context).toBe(
    `The user selected the lines 2 to 3 from ${filePath}:\nzwei 🙂\ndrei`,
  );
  expect((await client.prompt("and?")).context).toBeUndefined();

  const selection = span(0, 2, 0, 6);
  await serve.do({ do: "select", path: filePath, text: "given", range: selection });
  await client.until("the selection", () => client.inbox.context?.text === "given");
  await serve.do({ do: "clearSelection" });
  await client.until("cleared", () => client.badge === undefined);
  expect((await client.prompt()).context).toBeUndefined();

  await serve.do({ do: "open", path: filePath });
  await client.until("the file", () => client.badge === "⧉ In Übersicht 🙂 100%20.md");
  expect((await client.prompt()).context).toBe(`The user opened the file ${filePath} in the IDE`);

  await serve.do({ do: "select", path: filePath, range: span(0, 0, 0, 6) });
  await client.until("the selection", () => client.badge);
  await serve.do({ do: "drop" });
  await client.until("forgotten", () => client.transcript.states().includes("lost"));
  await client.until(
    "reconnected",
    () => client.transcript.connection === 2 && client.connection?.ready,
  );
  await client.until("the selection again", () => client.badge === "⧉ 1 line selected");
  expect((await client.prompt()).context).toContain("# eins");
  await expectCleanEnd(served);
});

test("a selection made before the client connects reaches its first prompt", async () => {
  const workspace = openWorkspace();
  const serve = startServe(workspace);
  await serve.event("listening");
  // Two spellings of one letter: the bytes of the name are kept.
  const filePath = write(workspace, "Ma\u0308rz.txt", "a\nb\n");
  await serve.do({ do: "select", path: filePath, range: span(0, 0, 1, 0) });
  const client = await startClient(workspace);
  await client.untilReady();
  await client.until("the selection", () => client.badge);
  expect((await client.prompt()).context).toBe(
    `The user selected the lines 1 to 1 from ${filePath}:\na\n`,
  );
  expect(client.transcript.dropped("deaf")).toEqual([]);
  expect(client.violations).toEqual([]);
});

// "types `@`, the path relative to the working directory"; "with both lines `#L2-3`, or `#L2`"
// (docs/clients/claude-code.md, Notifications).
test("mentions insert the path, with lines or without", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const filePath = write(workspace, "src/a b.ts", "zero\none\ntwo\nthree\n");
  // The client does not handle notifications yet: a mention sent at once would be lost.
  await serve.do({ do: "mention", path: filePath });
  await client.until("the first", () => client.promptInput === "@src/a b.ts ");
  expect(client.transcript.dropped("deaf")).toEqual([]);
  await serve.do({ do: "mention", path: filePath, lines: { start: 1, end: 2 } });
  await client.until("the second", () => client.promptInput.endsWith("#L2-3 "));
  await serve.do({ do: "mention", path: filePath, lines: { start: 3, end: 3 } });
  await client.until("the third", () => client.promptInput.endsWith("#L4 "));
  const { typed, attachments } = await client.prompt("explain");
  expect(typed).toBe("@src/a b.ts @src/a b.ts#L2-3 @src/a b.ts#L4 explain");
  expect(attachments.slice(1)).toEqual(["one\ntwo", "three"]);
  await expectCleanEnd(served);
});

// "`FILE_SAVED`, text": "the *client* writes that text"; "`DIFF_REJECTED`": "rejected"
// (docs/clients/claude-code.md, Diffs).
test("edits are accepted, changed, rejected and closed in the editor", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const path = write(workspace, "a b ü.txt", "old\n");

  await serve.do({ do: "diff", answer: "accept" });
  const accepted = client.edit(path, "new\n");
  expect(await accepted.result).toMatchObject({ by: "ide", written: "new\n" });
  expect((await accepted.result).modifiedByUser).toBe(false);
  const opened = await serve.event("diff-opened");
  expect(opened).toMatchObject({ filePath: path, tabName: accepted.tabName, proposed: "new\n" });
  const closed = await serve.event("diff-closed", { diff: opened["diff"] });
  expect(closed["outcome"]).toBeDefined();

  await serve.do({ do: "diff", answer: "accept-edited", suffix: "and more\r\n" });
  const suffixed = await client.edit(path, "newer\r\n").result;
  expect(suffixed).toMatchObject({ written: "newer\r\nand more\r\n", modifiedByUser: true });
  await serve.do({ do: "diff", answer: "accept-edited", text: "mine 🙂" });
  expect(await client.edit(path, "theirs").result).toMatchObject({ written: "mine 🙂" });
  expect(readFileSync(path, "utf8")).toBe("mine 🙂");

  await serve.do({ do: "diff", answer: "reject" });
  const rejected = client.edit(path, "never");
  expect(await rejected.result).toMatchObject({ decision: "rejected", by: "ide" });
  await serve.do({ do: "diff", answer: "close" });
  const shut = client.edit(path, "never");
  expect(await shut.result).toMatchObject({ decision: "rejected", by: "ide" });
  for (const edit of [rejected, shut]) {
    expect(diffAnswer(client, edit)).toMatchObject([{ type: "text", text: "DIFF_REJECTED" }]);
  }
  expect(readFileSync(path, "utf8")).toBe("mine 🙂");

  await serve.do({ do: "diff", answer: "accept" });
  const created = join(workspace.folder, "new folder ä", "created.txt");
  mkdirSync(dirname(created));
  expect(await client.edit(created, "born").result).toMatchObject({ written: "born" });
  const outside = join(workspace.fixture.root, "outside.txt");
  writeFileSync(outside, "out");
  expect(await client.edit(outside, "changed").result).toMatchObject({ written: "changed" });
  await expectCleanEnd(served);
});

// "If the person decides in the terminal, the client calls `close_tab`" (docs/clients/claude-code.md, Diffs).
test("edits are answered in the terminal while the editor waits", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const path = write(workspace, "a.txt", "old");
  for (const decision of ["accept", "reject"] as const) {
    const edit = client.edit(path, `new ${decision}`);
    const { diff } = await serve.event("diff-opened");
    edit.answerInTerminal(decision);
    expect(await edit.result).toMatchObject({ by: "terminal", decision: `${decision}ed` });
    await serve.event("diff-closed", { diff });
    await client.until("settled", () => client.unsettled.length === 0);
    expect(readFileSync(path, "utf8")).toBe("new accept");
  }
  const waiting = client.edit(path, "later");
  await serve.event("diff-opened");
  await serve.do({ do: "diff", answer: "accept" });
  expect(await waiting.result).toMatchObject({ by: "ide", written: "later" });
  await expectCleanEnd(served);
});

test("two diffs at once, of one client and of two, do not mix", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const other = await startClient(workspace);
  await other.untilReady();
  const path = write(workspace, "same.txt", "old");
  const first = client.edit(path, "first");
  const second = client.edit(path, "second");
  const third = other.edit(path, "third");
  const sessions = new Set<unknown>();
  for (let count = 0; count < 3; count++) {
    sessions.add((await serve.event("diff-opened"))["session"]);
  }
  expect(sessions.size).toBe(2);
  second.answerInTerminal("reject");
  await client.until("settled", () => !second.unsettled);
  await other.exit();
  await serve.event("diff-closed");
  await serve.event("diff-closed");
  expect([first.unsettled, third.unsettled]).toEqual([true, false]);
  const third2 = await startClient(workspace);
  await third2.untilReady();
  await third2.prompt("closes its own diffs only");
  expect(first.unsettled).toBe(true);
  await serve.do({ do: "diff", answer: "accept" });
  expect(await first.result).toMatchObject({ written: "first", by: "ide" });
  for (const client of [other, third2]) expect(client.violations).toEqual([]);
  await expectCleanEnd(served);
});

// "the baseline", "and with `{}` for the whole workspace" (docs/clients/claude-code.md, Diagnostics).
test("new problems are reported: the script's and the editor's own", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  await serve.do({ do: "diff", answer: "accept" });
  const script = write(workspace, "ä b.ts", "let x;\n");
  const known = { message: "known", severity: "warning", range: span(0, 0, 0, 3) };
  await serve.do({ do: "setDiagnostics", files: [{ path: script, diagnostics: [known] }] });
  expect((await client.edit(script, "let y;\n").result).newDiagnostics).toBeUndefined();
  const fresh = { message: "fresh", severity: "error", source: "tsc", code: 2304 };
  const more = { ...fresh, range: span(0, 4, 0, 5) };
  await serve.do({ do: "setDiagnostics", files: [{ path: script, diagnostics: [known, more] }] });
  const { newDiagnostics } = await client.prompt("go on");
  expect(newDiagnostics).toContain("ä b.ts:\n  ✘ [Line 1:5] fresh [2304] (tsc)");
  expect(newDiagnostics).not.toContain("known");

  const cases = [
    ["daten ü.json", '{"a": 1}', '{"a": 1,, }', "1"],
    ["conf.yaml", "a: 1\n", "a: [1\nb: }\n", "[1-3]"],
    ["README.md", "# Hello\n", "# Hello\n\nSee [this](missing%20file.md).\n", "3"],
    ["GUIDE.md", "# Hello\n", "# Hello\n\nSee [that](#no-such-heading).\n", "3"],
  ] as const;
  for (const [name, before, after, line] of cases) {
    const path = write(workspace, name, before);
    const result = await client.edit(path, after).result;
    expect(result.newDiagnostics ?? `none${client.describe()}`, name).toContain(`${name}:`);
    expect(result.newDiagnostics, name).toMatch(new RegExp(`\\[Line ${line}:\\d+\\]`));
    const fixed = await client.edit(path, before).result;
    expect(fixed.newDiagnostics, name).toBeUndefined();
  }
  expect(client.asksForBaselines).toBe(true);
  await expectCleanEnd(served);
});

test("names that look percent-encoded are taken literally", async () => {
  const served = await openServedSession({}, openWorkspace("config-dir", "100%25 pure%20"));
  const { serve, client, workspace } = served;
  await serve.do({ do: "diff", answer: "accept" });
  const path = write(workspace, "a%20b%2Fc.json", "{}");
  write(workspace, "a b.json", "{");
  expect((await client.edit(path, "{").result).newDiagnostics).toContain("a%20b%2Fc.json:\n");
  await serve.do({ do: "select", path, range: span(0, 0, 0, 1) });
  await client.until("the selection", () => client.badge);
  expect((await client.prompt()).context).toContain(`from ${path}:`);
  await expectCleanEnd(served);
});

test("a large proposal arrives whole, without false diagnostics", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  await serve.do({ do: "diff", answer: "accept" });
  const path = write(workspace, "large.json", "[]");
  const text = JSON.stringify(Array.from({ length: 150_000 }, (_, index) => `line ${index} ü`));
  const result = await client.edit(path, text).result;
  expect(result.written === text).toBe(true);
  expect(result.newDiagnostics).toBeUndefined();
  await expectCleanEnd(served);
});

test("the model's own call of getDiagnostics is answered by file and for all", async () => {
  const served = await openServedSession();
  const { serve, client, workspace } = served;
  const path = write(workspace, "bad ü.json", "{,}");
  await serve.do({ do: "open", path });
  for (const args of [{}, { uri: `file://${path}` }]) {
    const reply = await client.callAsModel("getDiagnostics", args).reply;
    expect(JSON.stringify(reply)).toContain(`file://${path}`);
  }
  await expectCleanEnd(served);
});

test("unshared content is not sent", async () => {
  const off = await openServedSession({ flags: ["--share", "off"] });
  const path = write(off.workspace, "a.txt", "one\ntwo\n");
  await off.serve.do({ do: "select", path, range: span(0, 0, 1, 3) });

  const served = await openServedSession({ flags: ["--share", "path"] });
  const other = write(served.workspace, "a.txt", "one\ntwo\n");
  const secret = write(served.workspace, ".env.local", "TOKEN=1\n");
  await served.serve.do({ do: "select", path: other, range: span(0, 0, 1, 3) });
  await served.client.until("the path", () => served.client.badge);
  // This client was started later, with its path.
  expect((await off.client.prompt()).context).toBeUndefined();
  await off.serve.do({ do: "diff", answer: "accept" });
  expect(await off.client.edit(path, "x").result).toMatchObject({ by: "ide" });
  await expectCleanEnd(off);
  expect((await served.client.prompt()).context).toContain("opened the file");
  await served.serve.do({ do: "select", path: other, range: span(0, 0, 0, 1) });
  await served.client.until("the path again", () => served.client.badge);
  await served.serve.do({ do: "select", path: secret, range: span(0, 0, 0, 5) });
  await served.client.until("nothing", () => served.client.badge === undefined);
  expect(JSON.stringify(served.client.transcript.received())).not.toContain(".env.local");
  await expectCleanEnd(served);
});

test("mistakes in a script are reported, and the server continues", async () => {
  const served = await openServedSession();
  const { serve } = served;
  serve.type("{");
  expect((await serve.event("error"))["message"]).toEqual(expect.any(String));
  serve.type({ do: "dance" });
  const names = ["error", "unsupported"];
  await served.client.until("a reply", () =>
    serve.events.some((event) => names.includes(event.event) && event["do"] === "dance"),
  );
  const missing = join(served.workspace.folder, "missing.txt");
  serve.type({ do: "select", path: missing, range: span(0, 0, 0, 0) });
  await serve.event("error", { do: "select" });
  serve.type({ do: "diff", answer: "maybe" });
  await serve.event("error", { do: "diff" });
  await serve.do({ do: "clearSelection" });
  await expectCleanEnd(served);
});

// "a server that restarts has to return on the same port with the same token" (docs/clients/claude-code.md,
// Reconnecting).
test("after kill -9 it restarts on the same port with the same token", async () => {
  const { workspace, serve, client, port, lockFile } = await openServedSession();
  const { authToken } = toObject(JSON.parse(readFileSync(lockFile, "utf8")));
  const path = write(workspace, "a.txt", "old");
  const orphan = client.edit(path, "new");
  await serve.event("diff-opened");
  serve.kill("SIGKILL");
  await serve.exited;
  await client.until("the terminal", () => orphan.asking === "terminal-only");
  const again = startServe(workspace);
  const listening = await again.event("listening");
  expect(listening).toMatchObject({ port, lockFile });
  expect(toObject(JSON.parse(readFileSync(lockFile, "utf8")))).toMatchObject({
    authToken,
    pid: again.pid,
  });
  await client.until(
    "reconnected",
    () => client.transcript.connection > 1 && client.connection?.ready,
  );
  orphan.answerInTerminal("accept");
  expect(await orphan.result).toMatchObject({ by: "terminal", written: "new" });
  await again.do({ do: "select", path, range: span(0, 0, 0, 3) });
  await client.until("the selection", () => client.badge);
  expect(client.violations).toEqual([]);
});

test("a second server for the same folder joins the first", async () => {
  const { workspace, port, lockFile } = await openServedSession();
  const second = startServe(workspace);
  expect(await second.event("listening")).toMatchObject({ port, lockFile });
});

test("every orderly end removes the lock file", async () => {
  const ends: readonly ((served: ServedSession) => void)[] = [
    ({ serve }) => serve.type({ do: "stop" }),
    ({ serve }) => serve.endInput(),
    ({ serve }) => serve.kill("SIGTERM"),
    ({ serve }) => serve.kill("SIGINT"),
  ];
  for (const [index, end] of ends.entries()) {
    const served = await openServedSession();
    expect(existsSync(served.lockFile)).toBe(true);
    end(served);
    const { code } = await served.serve.exited;
    if (index < 2) expect(code).toBe(0);
    expect(existsSync(served.lockFile)).toBe(false);
    await served.client.until("lost", () => served.client.transcript.states().includes("lost"));
    expect(served.client.violations).toEqual([]);
  }
});

test("older versions of the client work too", async () => {
  const workspace = openWorkspace();
  const serve = startServe(workspace);
  await serve.event("listening");
  for (const version of ["2.0.77", "1.0.128"] as const) {
    const client = await startClient(workspace, { version });
    onTestFinished(() => client.exit());
    await client.untilReady();
    expect(await serve.event("initialized")).toMatchObject({ version });
    expect(client.violations).toEqual([]);
  }
});
