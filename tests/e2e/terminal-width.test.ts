import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { joinAs, openTerminal, propose } from "../src/terminal-context.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what readline and colours are made of
const SEQUENCES = /\x1b\[[\d;]*[A-Za-z]/g;

/** The words that a terminal would break although they fit a row; every character here is one column wide. */
function brokenWords(output: string, columns: number): readonly string[] {
  return (
    output
      // readline starts a row by returning to the first column.
      .replaceAll("\x1b[1G", "\n")
      .replace(SEQUENCES, "")
      .split(/[\r\n]+/)
      // Typed text is broken where the person types on.
      .filter((row) => row.length > columns && !row.startsWith("idewire> "))
      .flatMap((row) =>
        [...row.matchAll(/\S+/g)]
          .filter(([word]) => word.length <= columns)
          .filter(
            ({ 0: word, index }) =>
              Math.floor(index / columns) !== Math.floor((index + word.length - 1) / columns),
          )
          .map(([word]) => `${word} in ${row}`),
      )
  );
}

/** Prose as people write it: each paragraph is a line. */
const PROSE = `${"The quick brown fox jumps over the lazy dog and never looks back. ".repeat(4)}\n`;

describe.each([80, 40])("at %i columns no word that fits a row is broken", (columns) => {
  const terminal = { columns, rows: 40 };

  test("in the startup message, the help, a review and answers", async () => {
    const context = await openTerminal({ terminal, env: { TERM: "xterm" } });
    const { run, lockFile, fixture } = context;
    const file = fixture.file("a-folder-of-notes/with-a-long-name.md", PROSE);
    const agent = await joinAs(lockFile, "an-agent-of-some-name");
    const answer = propose(agent, file, PROSE.replaceAll("lazy", "\u202elazy\u200b"), "a tab name");
    await run.shows("reject?");
    for (const typed of [
      "help",
      "diffs",
      "sessions",
      "dance",
      "share off",
      "share selection",
      "review",
      "?",
      "q",
    ]) {
      const from = run.output.length;
      run.type(typed);
      await run.shows("> ", from);
    }
    run.type("mention a-folder-of-notes/with-a-long-name.md:1");
    await run.shows("Mentioned");
    run.type("reject");
    await answer;
    expect(run.output).toMatch(/This[\s\S]*proposal[\s\S]*adds/);
    expect(run.output).toContain(join("a-folder-of-notes", "with-a-long-name.md"));
    expect(brokenWords(run.output, columns)).toEqual([]);
  });

  test("in the output of doctor, list and the help of each command, and in errors", async () => {
    const { fixture } = await openTerminal();
    const commands = ["serve", "host", "doctor", "inspect", "simulate", "check", "completion"];
    for (const args of [
      ["doctor"],
      ["list"],
      ["help"],
      ...commands.map((name) => ["help", name]),
      ["call", "noSuchTool"],
      ["open", "../elsewhere/a-file.md"],
      ["serve", "a-folder-that-does-not-exist"],
      ["serve", "--nothing-of-this-name", "and", "more", "words", "that", "make", "it", "long"],
    ]) {
      const run = new CliRun(fixture, { args, terminal, env: { TERM: "xterm" } });
      await run.exited;
      expect(`${run.output}${run.errors}`).not.toBe("");
      expect(brokenWords(`${run.output}\n${run.errors}`, columns)).toEqual([]);
    }
  });
});

test("without a terminal lines are not wrapped", async () => {
  const { fixture } = await openTerminal();
  const run = new CliRun(fixture, { args: ["doctor"] });
  await run.exited;
  expect(Math.max(...run.output.split("\n").map((row) => row.length))).toBeGreaterThan(80);
});
