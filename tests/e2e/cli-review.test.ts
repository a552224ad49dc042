import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { joinAs, openTerminal, propose, TERMINAL, textsOf } from "../src/terminal-scene.ts";
import { openStage } from "../src/twins/scene.ts";
import { until } from "../src/twins/transcript.ts";

/** Numbered lines, with some replaced. */
function lines(changes: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 60 }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join(
    "",
  );
}

const PROPOSED = lines({ 3: "three", 6: "six", 40: "forty\nand more" });

/** A change of two places near to each other, and one far away, under review. */
async function openReview(options: Parameters<typeof openTerminal>[0] = {}) {
  const scene = await openTerminal(options);
  scene.stage.file("long.md", lines());
  const agent = await joinAs(scene.lockFile, "claude-code");
  const answer = propose(agent, join(scene.stage.workspace, "long.md"), PROPOSED);
  await scene.run.shows("edit or reject?");
  /** Types a line, and gives what comes after it, up to a text. */
  const say = async (typed: string, until: string) => {
    const from = scene.run.output.length;
    scene.run.say(typed);
    return scene.run.shows(until, from);
  };
  return { ...scene, agent, answer, say };
}

test("what is accepted hunk by hunk is what the agent gets, to the letter", async () => {
  const { say, answer } = await openReview();
  expect(await say("review", "accept this hunk?")).toContain("[1/2] long.md\n");
  expect(await say("s", "accept this hunk?")).toContain("Split into 2 hunks.\n\n[1/3] long.md\n");
  expect(await say("n", "accept this hunk?")).toContain("  7 + six\n");
  await say("y", "[3/3]");
  expect(await say("y", "the agent writes it")).toContain(
    "2 of 3 hunks accepted.\nAccepted long.md with your changes",
  );
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", lines({ 6: "six", 40: "forty\nand more" })]);
});

test("all accepted is the proposal, and none is a rejection", async () => {
  const whole = await openReview();
  await whole.say("review", "accept this hunk?");
  expect(await whole.say("a", "writes it")).toContain("Accepted long.md; the agent writes it.");
  expect(textsOf(await whole.answer)).toEqual(["FILE_SAVED", PROPOSED]);
  const none = await openReview();
  await none.say("review", "accept this hunk?");
  await none.say("d", "Rejected long.md.");
  expect(textsOf(await none.answer)).toEqual(["DIFF_REJECTED"]);
});

test("one goes to and fro, searches, takes back, looks again and leaves without an answer", async () => {
  const { say, answer, run } = await openReview();
  await say("review", "[1/2]");
  await say("j", "[2/2]");
  await say("j", "[1/2]");
  await say("k", "[2/2]");
  await say("g 1", "[1/2]");
  await say("/FORTY", "[2/2]");
  await say("l", "[2/2]");
  await say("y", "[1/2]");
  expect(await say("u", "accept this hunk?")).toContain("[2/2]");
  await say("?", "go to hunk n");
  const mistakes = [
    ["/nowhere", "No hunk changes a line with nowhere."],
    ["/", "Which text? For example: /TODO"],
    ["g 9", "Which hunk? From 1 to 2, for example: g 1"],
    ["u", "Nothing is decided that could be taken back."],
    ["s", "It is one change, which cannot be split. e edits it."],
    ["sessions", "claude-code (s"],
  ] as const;
  for (const [typed, told] of mistakes) await say(typed, told);
  await say("q", "Nothing is answered: it still waits for accept or reject.");
  await say("y", "There is no command y. Type help.");
  run.say("reject");
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED"]);
});

test("e edits what has been decided so far, and that is accepted", async () => {
  const stage = openStage();
  const editor = stage.file("editor", '#!/bin/sh\necho "by hand" >> "$1"\n');
  chmodSync(editor, 0o755);
  const { say, answer } = await openReview({ env: { EDITOR: editor } });
  await say("review", "[1/2]");
  await say("n", "[2/2]");
  await say("e", "with your changes; the agent writes it.");
  expect(textsOf(await answer)).toEqual([
    "FILE_SAVED",
    `${lines({ 40: "forty\nand more" })}by hand\n`,
  ]);
});

test("without an editor, or without a change, e leaves the hunk as it was", async () => {
  for (const [env, told] of [
    [{}, "No editor: set $VISUAL or $EDITOR"],
    [{ EDITOR: "true" }, "You have changed nothing: this hunk still waits for y or n."],
  ] as const) {
    const { say, answer } = await openReview({ env });
    await say("review", "[1/2]");
    await say("e", told);
    await say("a", "Accepted");
    expect(textsOf(await answer)).toEqual(["FILE_SAVED", PROPOSED]);
  }
});

test("a review ends with its change, and its letters mean nothing to the next one", async () => {
  const { say, agent, stage, run } = await openReview({ terminal: TERMINAL });
  const second = propose(agent, join(stage.workspace, "b.md"), "b\n", "second");
  await run.shows("[2/2]");
  await say("review\r", "hunk 1/2 [y,n,?]> ");
  const from = run.output.length;
  await agent.callTool("close_tab", { tab_name: "a tab" });
  await run.shows("was answered in its agent, which does not say how.", from);
  expect(await run.shows("idewire> ", from)).not.toContain("hunk ");
  await say("y\r", "There is no command y.");
  await say("reject\r", "Rejected");
  expect(textsOf(await second)).toEqual(["DIFF_REJECTED"]);
});

test("under review nothing is answered as a whole, unless its number is said", async () => {
  const { say, agent, stage, answer } = await openReview();
  const second = propose(agent, join(stage.workspace, "b.md"), "b\n", "second");
  await say("diffs", "[2/2]");
  await say("review 2", "accept this hunk?");
  for (const typed of ["accept", "reject", "edit"]) await say(typed, "A review is under way");
  await say("reject 1", "Rejected long.md.");
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED"]);
  await say("y", "Accepted b.md");
  expect(textsOf(await second)).toEqual(["FILE_SAVED", "b\n"]);
});

test("a file that cannot be shown, or in which nothing changes, is not taken apart", async () => {
  const { run, lockFile, stage } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const path = stage.file("same.md", "same\n");
  const same = propose(agent, path, "same\n");
  await run.shows("nothing changes: the text is the same");
  run.say("review");
  await run.shows("Nothing changes in it: accept or reject it.");
  run.say("reject");
  expect(textsOf(await same)).toEqual(["DIFF_REJECTED"]);
  const outside = propose(agent, stage.home, "text\n");
  await run.shows("not shown: ");
  run.say("review");
  await run.shows("It cannot be taken apart: ");
  run.say("reject");
  expect(textsOf(await outside)).toEqual(["DIFF_REJECTED"]);
});

test("a long hunk goes on with more, and without a terminal view shows pages, too", async () => {
  const { run, lockFile, stage } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const text = Array.from({ length: 300 }, (_, index) => `new ${index}\n`).join("");
  const answer = propose(agent, join(stage.workspace, "new.md"), text);
  await run.shows("… 100 more lines: type more");
  const say = async (typed: string, told: string) => {
    const from = run.output.length;
    run.say(typed);
    return run.shows(told, from);
  };
  await say("view", "… 100 more lines: type more");
  await say("review", "… 100 more lines: type more");
  expect(await say("more", "300 + new 299")).not.toContain("… ");
  await say("y", "Accepted new.md; the agent writes it.");
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", text]);
});

test("in 40 columns, and on a terminal without colours, no escape sequence but the prompt's comes", async () => {
  const { say, run } = await openReview({
    terminal: { columns: 40, rows: 15 },
    env: { NO_COLOR: "1" },
  });
  await say("review\r", "hunk 1/2 [y,n,?]> ");
  await say("n\r", "hunk 2/2 [y,n,?]> ");
  expect(run.output).toContain("+ forty\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  expect(run.output).not.toMatch(/\x1b\[\d+m/);
});

test("view gives the terminal to $PAGER, and takes it back", async () => {
  const stage = openStage();
  stage.file("long.md", lines());
  const pager = stage.file("pager", '#!/bin/sh\necho "PAGER START"; cat; echo "PAGER END $LESS"\n');
  chmodSync(pager, 0o755);
  const idewire = new URL("../../packages/node-server/bin/idewire.js", import.meta.url).pathname;
  // A terminal of its own: script makes one.
  const child = spawn(
    "script",
    ["-qec", `stty cols 80 rows 24; "${process.execPath}" "${idewire}" serve`, "/dev/null"],
    {
      cwd: stage.workspace,
      env: { PATH: process.env["PATH"], HOME: stage.home, PAGER: pager, TERM: "xterm" },
    },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const shows = (text: string) =>
    until(
      text,
      () => output.includes(text),
      undefined,
      () => output,
    );
  await shows("idewire> ");
  const file = () => readdirSync(stage.lockFolder).find((name) => name.endsWith(".lock"));
  await until("the lock file", () => existsSync(stage.lockFolder) && file() !== undefined);
  const agent = await joinAs(join(stage.lockFolder, String(file())), "claude-code");
  const answer = propose(agent, join(stage.workspace, "long.md"), PROPOSED);
  await shows("Or review it, hunk by hunk.");
  child.stdin.write("view\r");
  await shows("PAGER END FRX");
  const paged = output.slice(output.indexOf("PAGER START"), output.indexOf("PAGER END"));
  expect(paged).toContain("and more");
  child.stdin.write("review\r");
  await shows("hunk 1/2 [y,n,?]> ");
  child.stdin.write("a\r");
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", PROPOSED]);
  child.stdin.write("quit\r");
  expect(await ended).toBe(0);
});
