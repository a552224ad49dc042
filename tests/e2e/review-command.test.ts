import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sh, untilControlled } from "../src/control-context.ts";
import { type JobShell, openJobShell } from "../src/job-shell.ts";
import { builtBin, LineProgram } from "../src/line-program.ts";
import type { RawClient } from "../src/raw-client.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";
import { joinAs, propose, textsOf } from "../src/terminal-context.ts";

// `idewire diffs` and `idewire review`: the built command, in another terminal than the editor's.

const LINES = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
const BEFORE = `${LINES.join("\n")}\n`;
const AFTER = `${LINES.map((line) => `${line} changed`).join("\n")}\n`;

/** A folder with a connected agent, and a shell in it. */
async function openReviewed() {
  const workspace = openWorkspace("home", "vault");
  const file = join(workspace.folder, "plan.md");
  // Written first: a file written while an agent is connected may count as the agent's.
  writeFileSync(file, BEFORE);
  const serve = startServe(workspace);
  const { lockFile } = await serve.event("listening");
  const socket = await untilControlled(workspace);
  const agent = await joinAs(String(lockFile), "claude-code");
  onTestFinished(() => agent.socket.close());
  const env = { ...workspace.env, TERM: "xterm", EDITOR: "sed -i s/changed/edited/" };
  const shell = openJobShell(env, workspace.folder);
  const idewire = `'${process.execPath}' '${builtBin}'`;
  const type = async (line: string) => {
    shell.type("clear", "Enter");
    await expect.poll(() => /idewire/.test(shell.screen())).toBe(false);
    shell.type(line.replace(/\bidewire\b/, idewire), "Enter");
  };
  return { workspace, serve, agent, file, lockFile: String(lockFile), socket, shell, type };
}

/** Proposes a change; resolves once it is pending. */
async function proposeIn(
  { agent, file, serve }: Awaited<ReturnType<typeof openReviewed>>,
  text = AFTER,
) {
  const before = serve.events.filter(({ event }) => event === "diff-opened").length;
  const answer = propose(agent, file, text).then(textsOf);
  // Some tests do not await the answer.
  answer.catch(() => undefined);
  const opened = () => serve.events.filter(({ event }) => event === "diff-opened").length;
  await expect.poll(opened).toBe(before + 1);
  return { answer };
}

test("diffs lists number, file and agent of each pending diff", async () => {
  const context = await openReviewed();
  const { workspace } = context;
  expect(await sh(workspace, "idewire diffs")).toEqual({
    code: 0,
    output: "No diff is pending.\n",
  });
  await proposeIn(context);
  await proposeIn(context);
  expect(await sh(workspace, "idewire diffs")).toEqual({
    code: 0,
    output: "1  plan.md  Claude Code (s1)\n2  plan.md  Claude Code (s1)\n",
  });
  const { output } = await sh(workspace, "idewire diffs --json");
  expect(JSON.parse(output)).toEqual(
    [1, 2].map((number) => ({ number, path: "plan.md", agent: "Claude Code (s1)" })),
  );
});

test("review shows the whole diff, and the agent gets the person's answer", async () => {
  const context = await openReviewed();
  const { shell, type } = context;
  const accepted = await proposeIn(context);
  await type("idewire review 1; echo code-$?");
  await shell.shows(/line 120 changed[\s\S]*idewire>/);
  expect(shell.screen()).not.toMatch(/more lines/);
  shell.type("accept", "Enter");
  await shell.shows(/Accepted plan\.md[\s\S]*code-0/);
  expect(shell.screen()).not.toContain("editor/");
  expect(await accepted.answer).toEqual(["FILE_SAVED", AFTER]);

  const rejected = await proposeIn(context);
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  shell.type("reject", "Enter");
  await shell.shows(/Rejected plan\.md[\s\S]*code-0/);
  expect((await rejected.answer)[0]).toBe("DIFF_REJECTED");

  const edited = await proposeIn(context, "one changed\n");
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  shell.type("edit", "Enter");
  await shell.shows(/with your changes[\s\S]*code-0/);
  expect(await edited.answer).toEqual(["FILE_SAVED", "one edited\n"]);
});

test("comments of a review in another terminal reach the agent", async () => {
  const context = await openReviewed();
  const { shell, type, agent, file } = context;
  const { answer } = await proposeIn(context, BEFORE.replace("line 2\n", "two\n"));
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  shell.type("review", "Enter");
  await shell.shows(/hunk 1\/1/);
  shell.type("c In digits.", "Enter");
  await shell.shows(/s sends it/);
  shell.type("s", "Enter");
  await shell.shows(/Sent as a mention of plan\.md\.comments[\s\S]*code-0/);
  expect(await answer).toEqual(["DIFF_REJECTED", "plan.md, line 2:\n> two\nIn digits.\n"]);
  await expect
    .poll(() => agent.receivedOf("at_mentioned").map(({ params }) => params))
    .toMatchObject([{ filePath: `${file}.comments` }]);
});

test("a review can be taken hunk by hunk, be left, and ends when the diff is answered elsewhere", async () => {
  const context = await openReviewed();
  const { shell, type, serve } = context;
  const changed = BEFORE.replace("line 2\n", "two\n").replace("line 90\n", "ninety\n");
  const parts = await proposeIn(context, changed);
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  shell.type("quit", "Enter");
  await shell.shows(/Not answered: the diff is still pending[\s\S]*code-1/);
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  shell.type("review", "Enter");
  await shell.shows(/hunk 1\/2/);
  shell.type("y", "Enter");
  await shell.shows(/hunk 2\/2/);
  shell.type("n", "Enter");
  await shell.shows(/code-0/);
  expect(await parts.answer).toEqual(["FILE_SAVED", BEFORE.replace("line 2\n", "two\n")]);

  const elsewhere = await proposeIn(context);
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  serve.type({ do: "diff", answer: "reject" });
  await shell.shows(/Diff 1 of plan\.md was rejected by the script[\s\S]*code-0/);
  await elsewhere.answer;
});

test("a diff whose file changes meanwhile is shown again, compared with the new text", async () => {
  const context = await openReviewed();
  const { shell, type, file } = context;
  const { answer } = await proposeIn(context, "proposed\n");
  await type("idewire review 1; echo code-$?");
  await shell.shows(/idewire>/);
  writeFileSync(file, "typed meanwhile\n");
  await shell.shows(/- typed meanwhile[\s\S]*\+ proposed[\s\S]*idewire>/);
  shell.type("accept", "Enter");
  await shell.shows(/code-0/);
  expect(await answer).toEqual(["FILE_SAVED", "proposed\n"]);
});

test("a diff without that number, and none at all, are errors", async () => {
  const context = await openReviewed();
  const { shell, type, workspace } = context;
  await type("idewire review 3");
  await shell.shows(/idewire review: No diff is pending/);
  await proposeIn(context);
  await type("idewire review 3");
  await shell.shows(/There is no diff 3; pending: 1/);
  expect(await sh(workspace, "idewire review one")).toMatchObject({ code: 2 });
});

/** Sends a request to the socket of the folder; resolves to the answer. */
async function ask(socketPath: string, method: string, params: object): Promise<string> {
  const socket = connect(socketPath);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  return String(data);
}

test("a diff that was not shown on the same connection is not answered", async () => {
  const context = await openReviewed();
  const { answer } = await proposeIn(context);
  const [opened] = context.serve.events.filter(({ event }) => event === "diff-opened");
  const accepted = { kind: "accepted", text: AFTER };
  const params = { id: opened?.["diff"], answer: accepted };
  expect(await ask(context.socket, "editor/answerDiff", params)).toContain(
    "must be shown before it is answered",
  );
  expect((await sh(context.workspace, "idewire diffs")).output).toContain("1  plan.md");
  await expect(Promise.race([answer, Promise.resolve("waits")])).resolves.toBe("waits");
});

test("a process without a terminal is shown no diff", async () => {
  const context = await openReviewed();
  await proposeIn(context);
  const { workspace, socket, type, shell } = context;
  expect(await sh(workspace, "idewire review 1")).toEqual({
    code: 1,
    output: "idewire review: a diff is shown and answered in a terminal only\n",
  });
  await type("yes accept | idewire review 1");
  await shell.shows(/in a terminal only/);
  const { env, folder: cwd } = workspace;
  // In its own session, without a terminal.
  const { pid } = new LineProgram("sleep", ["60"], { env, cwd });
  const refused = await ask(socket, "editor/showDiff", { number: 1, pid });
  expect(refused).toContain(`only a person answers a diff, in a terminal: process ${pid} has no`);
});

/** The agent claims the process id of the test's shell. */
async function identify(agent: RawClient, shell: JobShell): Promise<void> {
  shell.type("clear; echo pid-$$-", "Enter");
  await shell.shows(/pid-\d+-/);
  const [, pid] = /pid-(\d+)-/.exec(shell.screen()) ?? [];
  agent.send({ jsonrpc: "2.0", method: "ide_connected", params: { pid: Number(pid) } });
}

test("a process that a connected agent has started is shown no diff, with a pseudo-terminal or without", async () => {
  const context = await openReviewed();
  await proposeIn(context);
  const { agent, shell, type } = context;
  await identify(agent, shell);
  await type("idewire review 1");
  await shell.shows(/is a\s+connected\s+agent/);
  await type(`script -qec "idewire review 1" /dev/null`);
  await shell.shows(/is a\s+connected\s+agent/);
});

test("an agent that has not sent its process id is recognised by its connection", async () => {
  const context = await openReviewed();
  const { workspace, lockFile, shell, serve, file } = context;
  const program = join(workspace.fixture.root, "agent.cjs");
  const ws = JSON.stringify(join(import.meta.dirname, "../../packages/cli/node_modules/ws"));
  writeFileSync(
    program,
    `const { WebSocket } = require(${ws});
const { readFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const lock = ${JSON.stringify(lockFile)};
const { authToken } = JSON.parse(readFileSync(lock, "utf8"));
const headers = { "x-claude-code-ide-authorization": authToken };
const socket = new WebSocket("ws://127.0.0.1:" + /(\\d+)\\.lock$/.exec(lock)[1], ["mcp"], { headers });
const send = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
socket.on("open", () => {
  const clientInfo = { name: "opencode", version: "0.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send({ id: "i", method: "initialize", params });
});
socket.once("message", () => {
  send({ method: "notifications/initialized" });
  const command = process.execPath + " " + ${JSON.stringify(builtBin)} + " review 1";
  spawn("script", ["-qec", command, "/dev/null"], { stdio: "inherit" });
});
`,
  );
  const { answer } = await proposeIn(context);
  shell.type(`clear; '${process.execPath}' '${program}'`, "Enter");
  await shell.shows(/is a\s+connected\s+agent/);
  expect(readFileSync(file, "utf8")).toBe(BEFORE);
  serve.type({ do: "diff", answer: "reject" });
  await answer;
});

test("a program of the same user that detaches itself by setsid is not stopped", async () => {
  // As documented in SECURITY.md: such a program could write the file as well.
  const context = await openReviewed();
  const { answer } = await proposeIn(context, "one\n");
  const { agent, shell, type } = context;
  await identify(agent, shell);
  await type(`setsid -f sh -c "(sleep 3; echo accept) | script -qec 'idewire review 1' /dev/null"`);
  expect(await answer).toEqual(["FILE_SAVED", "one\n"]);
});

test("an editor behind stdio shows its diffs itself", async () => {
  const workspace = openWorkspace();
  const { env, folder: cwd } = workspace;
  const host = new LineProgram(process.execPath, [builtBin, "host", "--stdio"], { env, cwd });
  const state = { folders: [{ path: cwd }] };
  const params = { protocol: 1, name: "ed", members: [], state };
  host.type({ jsonrpc: "2.0", id: 1, method: "host/hello", params });
  await host.shows('"host/listening"');
  await untilControlled(workspace);
  expect(await sh(workspace, "idewire diffs")).toEqual({
    code: 1,
    output: "idewire diffs: this editor shows its diffs itself: answer them there\n",
  });
});
