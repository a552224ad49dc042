import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFixture } from "../src/reference-clients/context.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { joinAs, openTerminal, propose, TERMINAL, textsOf } from "../src/terminal-context.ts";

/** Numbered lines, with some replaced. */
function lines(changes: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 60 }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join(
    "",
  );
}

const PROPOSED = lines({ 3: "three", 4: "four", 40: "forty\nand more" });

/** The review of a change in two places. */
async function openReview(options: Parameters<typeof openTerminal>[0] = {}) {
  const context = await openTerminal(options);
  context.fixture.file("long.md", lines());
  const agent = await joinAs(context.lockFile, "claude-code");
  const answer = propose(agent, join(context.fixture.workspace, "long.md"), PROPOSED);
  await context.run.shows("edit or reject?");
  /** Types a line; resolves to the following output up to a text. */
  const type = async (typed: string, until: string) => {
    const from = context.run.output.length;
    context.run.type(typed);
    return context.run.shows(until, from);
  };
  return { ...context, agent, answer, type };
}

test("text accepted hunk by hunk reaches the agent verbatim", async () => {
  const { type, answer } = await openReview();
  expect(await type("review", "accept this hunk?")).toContain("[1/2] long.md\n");
  expect(await type("n", "accept this hunk?")).toContain(" 41 + forty\n");
  expect(await type("y", "the agent writes it")).toContain(
    "1 of 2 hunks accepted.\nAccepted long.md with your changes",
  );
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", lines({ 40: "forty\nand more" })]);
});

test("accepting every hunk accepts the proposal, and accepting none rejects it", async () => {
  const whole = await openReview();
  await whole.type("review", "accept this hunk?");
  expect(await whole.type("a", "writes it")).toContain("Accepted long.md; the agent writes it.");
  expect(textsOf(await whole.answer)).toEqual(["FILE_SAVED", PROPOSED]);
  const none = await openReview();
  await none.type("review", "accept this hunk?");
  await none.type("d", "Rejected long.md.");
  expect(textsOf(await none.answer)).toEqual(["DIFF_REJECTED"]);
});

test("comments on hunks are sent together, with the rejection, as a mention and to the clipboard", async () => {
  const { type, answer, fixture, agent, run } = await openReview();
  await type("review", "accept this hunk?");
  expect(await type("s", "There is no comment to send")).toContain("c <text>");
  await type("c Not three.", "1 comment; s sends it.");
  await type("j", "accept this hunk?");
  await type("c Too much.", "2 comments; s sends them.");
  const from = run.output.length;
  await type("s", "Sent as a mention of long.md.comments.");
  await run.shows("Not copied: the output is no terminal.", from);
  const [word, comments] = textsOf(await answer);
  expect(word).toBe("DIFF_REJECTED");
  expect(comments).toBe(
    "long.md, lines 4 to 5:\n> three\n> four\nNot three.\n\n" +
      "long.md, lines 41 to 42:\n> forty\n> and more\nToo much.\n",
  );
  await expect
    .poll(() => agent.receivedOf("at_mentioned").map(({ params }) => params))
    .toMatchObject([{ filePath: join(fixture.workspace, "long.md.comments") }]);
});

test("a hunk whose lines were written meanwhile is marked as changed on both sides", async () => {
  const { type, answer, fixture, run } = await openReview();
  const from = run.output.length;
  fixture.file("long.md", lines({ 3: "mine" }));
  await run.shows("1 hunk was changed on both sides", from);
  await run.shows("edit or reject?", from);
  const mark = "Changed on both sides";
  expect(await type("review", "accept this hunk?")).toContain(mark);
  expect(await type("n", "accept this hunk?")).not.toContain(mark);
  await type("y", "the agent writes it");
  const chosen = lines({ 3: "mine", 40: "forty\nand more" });
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", chosen]);
});

test("a person navigates, searches, undoes, looks again and leaves without an answer", async () => {
  const { type, answer, run } = await openReview();
  await type("review", "[1/2]");
  await type("j", "[2/2]");
  await type("j", "[1/2]");
  await type("k", "[2/2]");
  await type("g 1", "[1/2]");
  await type("/FORTY", "[2/2]");
  await type("l", "[2/2]");
  await type("y", "[1/2]");
  expect(await type("u", "accept this hunk?")).toContain("[2/2]");
  await type("?", "go to hunk n");
  const mistakes = [
    ["/nowhere", "No hunk changes a line with nowhere."],
    ["/", "Which text? For example: /TODO"],
    ["g 9", "Which hunk? From 1 to 2, for example: g 1"],
    ["u", "There is no decision to undo."],
    ["sessions", "Claude Code (s"],
  ] as const;
  for (const [typed, received] of mistakes) await type(typed, received);
  await type("q", "Not answered: the diff is still pending; accept or reject it.");
  await type("y", "There is no command y. Type help.");
  run.type("reject");
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED"]);
});

test("e edits the text as decided so far, which is then accepted", async () => {
  const fixture = openFixture();
  const editor = fixture.file("editor", '#!/bin/sh\necho "by hand" >> "$1"\n');
  chmodSync(editor, 0o755);
  const { type, answer } = await openReview({ env: { EDITOR: editor } });
  await type("review", "[1/2]");
  await type("n", "[2/2]");
  await type("e", "with your changes; the agent writes it.");
  expect(textsOf(await answer)).toEqual([
    "FILE_SAVED",
    `${lines({ 40: "forty\nand more" })}by hand\n`,
  ]);
});

test("without an editor, or without a change, e leaves the hunk as it was", async () => {
  for (const [env, received] of [
    [{}, "No editor: set $VISUAL or $EDITOR"],
    [{ EDITOR: "true" }, "You changed nothing: answer the hunk with y or n."],
  ] as const) {
    const { type, answer } = await openReview({ env });
    await type("review", "[1/2]");
    await type("e", received);
    await type("a", "Accepted");
    expect(textsOf(await answer)).toEqual(["FILE_SAVED", PROPOSED]);
  }
});

test("a review ends with its change, and its keys do not affect the next one", async () => {
  const { type, agent, fixture, run } = await openReview({ terminal: TERMINAL });
  const second = propose(agent, join(fixture.workspace, "b.md"), "b\n", "second");
  await run.shows("[2/2]");
  await type("review\r", "hunk 1/2 [y,n,?]> ");
  const from = run.output.length;
  await agent.callTool("close_tab", { tab_name: "a tab" });
  await run.shows("was answered in its agent, which does not report the answer.", from);
  expect(await run.shows("idewire> ", from)).not.toContain("hunk ");
  await type("y\r", "There is no command y.");
  await type("reject\r", "Rejected");
  expect(textsOf(await second)).toEqual(["DIFF_REJECTED"]);
});

test("during a review nothing is answered as a whole, unless its number is given", async () => {
  const { type, agent, fixture, answer } = await openReview();
  const second = propose(agent, join(fixture.workspace, "b.md"), "b\n", "second");
  await type("diffs", "[2/2]");
  await type("review 2", "accept this hunk?");
  for (const typed of ["accept", "reject", "edit"]) await type(typed, "A review is open");
  await type("reject 1", "Rejected long.md.");
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED"]);
  await type("y", "Accepted b.md");
  expect(textsOf(await second)).toEqual(["FILE_SAVED", "b\n"]);
});

test("a file that cannot be shown, or without changes, is not split into hunks", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const path = fixture.file("same.md", "same\n");
  const same = propose(agent, path, "same\n");
  await run.shows("no change: the text is the same");
  run.type("review");
  await run.shows("It changes nothing: accept or reject it.");
  run.type("reject");
  expect(textsOf(await same)).toEqual(["DIFF_REJECTED"]);
  const outside = propose(agent, fixture.home, "text\n");
  await run.shows("not shown: ");
  run.type("review");
  await run.shows("It cannot be split into hunks: ");
  run.type("reject");
  expect(textsOf(await outside)).toEqual(["DIFF_REJECTED"]);
});

test("a long hunk goes on with more, and without a terminal view shows pages, too", async () => {
  const { run, lockFile, fixture } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  const text = Array.from({ length: 300 }, (_, index) => `new ${index}\n`).join("");
  const answer = propose(agent, join(fixture.workspace, "new.md"), text);
  await run.shows("… 100 more lines: type more");
  const type = async (typed: string, received: string) => {
    const from = run.output.length;
    run.type(typed);
    return run.shows(received, from);
  };
  await type("view", "… 100 more lines: type more");
  await type("review", "… 100 more lines: type more");
  expect(await type("more", "300 + new 299")).not.toContain("… ");
  await type("y", "Accepted new.md; the agent writes it.");
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", text]);
});

test("in 40 columns, and without colours, only the prompt's escape sequences are written", async () => {
  const { type, run } = await openReview({
    terminal: { columns: 40, rows: 15 },
    env: { NO_COLOR: "1" },
  });
  await type("review\r", "hunk 1/2 [y,n,?]> ");
  await type("n\r", "hunk 2/2 [y,n,?]> ");
  expect(run.output).toContain("+ forty\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  expect(run.output).not.toMatch(/\x1b\[\d+m/);
});

test("view runs $PAGER in the foreground, and resumes afterwards", async () => {
  const fixture = openFixture();
  fixture.file("long.md", lines());
  const pager = fixture.file(
    "pager",
    '#!/bin/sh\necho "PAGER START"; cat; echo "PAGER END $LESS"\n',
  );
  chmodSync(pager, 0o755);
  const idewire = new URL("../../packages/cli/bin/idewire.js", import.meta.url).pathname;
  // `script` provides a separate terminal.
  const child = spawn(
    "script",
    ["-qec", `stty cols 80 rows 24; "${process.execPath}" "${idewire}" serve`, "/dev/null"],
    {
      cwd: fixture.workspace,
      env: { PATH: process.env["PATH"], HOME: fixture.home, PAGER: pager, TERM: "xterm" },
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
  const file = () => readdirSync(fixture.lockFolder).find((name) => name.endsWith(".lock"));
  await until("the lock file", () => existsSync(fixture.lockFolder) && file() !== undefined);
  const agent = await joinAs(join(fixture.lockFolder, String(file())), "claude-code");
  const answer = propose(agent, join(fixture.workspace, "long.md"), PROPOSED);
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
