import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { joinAs, openTerminal, propose, textsOf } from "../src/terminal-context.ts";

test("the start shows what is shared and what to run", async () => {
  const { fixture, run } = await openTerminal();
  expect(run.output).toContain("the active file, the selection in it, and diagnostics");
  expect(run.output).toContain(
    `  cd ${fixture.workspace}\n  claude --ide --permission-mode default  Claude Code\n`,
  );
});

test("with a custom directory the command to run names it, and opencode is not offered", async () => {
  const fixture = openFixture();
  const directory = join(fixture.root, "my config");
  const run = new CliRun(fixture, { args: ["serve"], env: { CLAUDE_CONFIG_DIR: directory } });
  await run.shows(`  CLAUDE_CONFIG_DIR='${directory}' claude --ide --permission-mode default\n`);
  expect(run.output).not.toContain("opencode");
});

test("typed commands reach the agents, and their answers confirm it", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  run.type("select plan.md:3-4");
  await run.shows("Selected: plan.md, lines 3–4. No agent is connected yet.\n");
  const agent = await joinAs(lockFile, "claude-code");
  await run.shows("→ Claude Code (s");
  const { params } = await agent.answer((message) => message.method === "selection_changed");
  expect(params).toEqual({
    filePath: join(fixture.workspace, "plan.md"),
    text: "one\ntwo",
    selection: { start: { line: 2, character: 0 }, end: { line: 3, character: 3 } },
  });
  run.type("mention plan.md:3");
  const mention = await agent.answer((message) => message.method === "at_mentioned");
  expect(mention.params).toMatchObject({ lineStart: 2, lineEnd: 2 });
  run.type("sessions");
  await run.shows(") 2.1.330\n");
  agent.socket.close();
  await run.shows("has disconnected\n");
});

test("an answer names the lines, and fits into a line of the terminal", async () => {
  const { run } = await openTerminal();
  run.type("mention plan.md:3");
  await run.shows("no agent is connected, so none received it\n");
  run.type("select plan.md:3");
  await run.shows("Selected: plan.md, line 3. No agent is connected yet.\n");
  for (const level of ["off", "path", "selection", "all"]) {
    run.type(`share ${level}`);
    await run.shows(`Shared (${level}): `);
  }
  const answers = run.output.split("\n").filter((line) => line.startsWith("Shared ("));
  expect(answers).toHaveLength(4);
  expect(Math.max(...answers.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("mistakes are explained, and the command continues", async () => {
  const { run } = await openTerminal();
  const mistakes = [
    ["dance", "There is no command dance. Type help."],
    ["open", "Which file? For example: open README.md"],
    ["open missing.md", "does not exist"],
    ["open ../../etc/passwd", "is outside the workspace folder"],
    ["select plan.md", "Which lines of plan.md? For example: select plan.md:10-20"],
    ["select plan.md:99", "line 99 is outside 1–6"],
    ["share everything", "Expected one of off, path, selection, all."],
    ["accept", "No diff is pending."],
    ["show 7", "No diff is pending."],
    ["mention \0", "a path may not contain NUL"],
  ] as const;
  for (const [typed, received] of mistakes) {
    const from = run.output.length;
    run.type(typed);
    await run.shows(received, from);
  }
  run.type("help");
  await run.shows("  quit ");
  expect(run.exits).toEqual([]);
});

test("a change is shown word by word, and accepted, rejected or changed first", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const path = join(fixture.workspace, "plan.md");
  const accepted = propose(agent, path, "# Plan\n\none\ntwo words\nthree\n");
  const shown = await run.shows("accept, edit or reject?");
  expect(shown).toMatch(/\[1\] Claude Code \(s\d+\) proposes to change plan\.md {2}\+1 -1\n/);
  expect(shown).toContain("  4 - two\n  4 + two{+ words+}\n  5   three\n");
  run.type("accept");
  await run.shows("Accepted plan.md; the agent writes it.");
  expect(textsOf(await accepted)).toEqual(["FILE_SAVED", "# Plan\n\none\ntwo words\nthree\n"]);

  const rejected = propose(agent, join(fixture.workspace, "new.md"), "new\n");
  await run.shows("proposes to create new.md");
  run.type("reject");
  expect(textsOf(await rejected)).toEqual(["DIFF_REJECTED"]);
  await run.shows("Rejected new.md.");
  expect(readFileSync(path, "utf8")).toBe("# Plan\n\none\ntwo\nthree\n");
});

test("edit accepts what the editor leaves, and without a change or an editor the diff stays", async () => {
  const fixture = openFixture();
  const editor = fixture.file("editor", '#!/bin/sh\necho "edited by $1" >> "$2"\n');
  chmodSync(editor, 0o755);
  const run = new CliRun(fixture, {
    args: ["serve"],
    env: { EDITOR: "false", VISUAL: `${editor} hand` },
  });
  await run.shows("Type help");
  const [lock = ""] = readdirSync(fixture.lockFolder);
  const agent = await joinAs(join(fixture.lockFolder, lock), "claude-code");
  const answer = propose(agent, join(fixture.workspace, "new $(x) file.md"), "proposed\n");
  await run.shows("accept, edit or reject?");
  run.type("edit");
  await run.shows("with your changes; the agent writes it.");
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", "proposed\nedited by hand\n"]);

  const cases = [
    [{ EDITOR: "true" }, "You changed nothing: the diff is still pending; accept or reject it."],
    [{ EDITOR: "exit 3;" }, "exited with 3."],
    [{ EDITOR: "no-such-editor-here" }, "no-such-editor-here was not found."],
    [{}, "No editor: set $VISUAL or $EDITOR"],
  ] as const;
  for (const [env, received] of cases) {
    const other = openFixture();
    const again = new CliRun(other, { args: ["serve"], env });
    await again.shows("Type help");
    const [file = ""] = readdirSync(other.lockFolder);
    const client = await joinAs(join(other.lockFolder, file), "claude-code");
    const waiting = propose(client, join(other.workspace, "a.md"), "a\n");
    await again.shows("accept, edit or reject?");
    again.type("edit");
    await again.shows(received);
    again.type("accept");
    expect(textsOf(await waiting)).toEqual(["FILE_SAVED", "a\n"]);
  }
});

test("several changes queue, keep their numbers, and the next one is shown", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const answers: ReturnType<typeof propose>[] = [];
  for (const name of ["a", "b", "c"]) {
    answers.push(propose(agent, join(fixture.workspace, `${name}.md`), `${name}\n`, name));
    await run.shows(`proposes to create ${name}.md`);
  }
  expect(run.output).toContain("[3/3]");
  expect(run.output).not.toContain("1 + b");
  run.type("reject 2");
  expect(textsOf(await answers[1])).toEqual(["DIFF_REJECTED"]);
  const from = run.output.length;
  run.type("diffs");
  expect(await run.shows("c.md\n", from)).toMatch(/\[1\/3\].*a\.md\n\[3\/3\].*c\.md\n/);
  run.type("accept");
  await run.shows("  1 + c\n");
  run.type("accept 1");
  await run.shows("There is no diff 1; pending: 3.");
  run.type("accept 3");
  await Promise.all(answers);
});

test("a change that ends without the person names the reason: answered in the agent, withdrawn, or disconnected", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const other = await joinAs(lockFile, "claude-code");
  void propose(agent, join(fixture.workspace, "a.md"), "a\n", "tab a");
  await run.shows("[1]");
  void propose(other, join(fixture.workspace, "b.md"), "b\n", "tab b").catch(() => undefined);
  await run.shows("[2/2]");
  await agent.callTool("close_tab", { tab_name: "tab a" });
  await run.shows("Diff 1 of a.md was answered in its agent, which does not report the answer.");
  await run.shows("  1 + b\n");
  other.socket.terminate();
  await run.shows("Diff 2 of b.md ended unanswered: its agent has gone.");
  void propose(agent, join(fixture.workspace, "c.md"), "c\n", "tab c");
  await run.shows("  1 + c\n");
  await agent.callTool("closeAllDiffTabs", {});
  const output = await run.shows("Diff 1 of c.md was withdrawn by its agent.");
  expect(output).not.toMatch(/accepted|rejected/);
});

test("a change outside the folder is marked as such", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const path = join(fixture.root, "outside.txt");
  writeFileSync(path, "old\n");
  void propose(agent, path, "new\n").catch(() => undefined);
  await run.shows("!!! OUTSIDE THE FOLDER that you serve !!!");
  expect(run.output).toContain(`proposes to change ${path}`);
});
