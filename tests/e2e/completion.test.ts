import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";

type Shell = "bash" | "zsh" | "fish";

/** The completion script, in a folder with a file and two folders. */
async function openShell(
  shell: Shell,
): Promise<{ fixture: Fixture; script: string; text: string }> {
  const fixture = openFixture();
  for (const folder of ["notes dir", "other"]) mkdirSync(join(fixture.workspace, folder));
  fixture.file("plan.md", "");
  const run = new CliRun(fixture, { args: ["completion", shell] });
  expect(await run.exited).toBe(0);
  const script = join(fixture.root, "script");
  writeFileSync(script, run.output);
  return { fixture, script, text: run.output };
}

/** The lines that a shell prints, run in the workspace. */
function type(fixture: Fixture, program: string, args: readonly string[]): readonly string[] {
  const env = { PATH: process.env["PATH"], HOME: fixture.home, TERM: "dumb", LC_ALL: "C.UTF-8" };
  const ended = spawnSync(program, args, { cwd: fixture.workspace, env, timeout: 120_000 });
  expect(ended.stderr.toString()).toBe("");
  return ended.stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

const isInstalled = (shell: Shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** A test in the shell itself; if it is not installed, the test only reads the script, and its name says so. */
function inShell(shell: Shell, law: string, body: () => Promise<void>): void {
  const name = isInstalled(shell)
    ? `${shell}: ${law}`
    : `${shell} is not installed here, so that its script is read as text alone`;
  test(name, async () => {
    const { text } = await openShell(shell);
    for (const word of ["serve", "doctor", "path-map", "selection"]) expect(text).toContain(word);
    if (isInstalled(shell)) await body();
  });
}

inShell("bash", "commands, options, values, files and folders are completed", async () => {
  const { fixture, script } = await openShell("bash");
  const complete = (...words: readonly string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const code = `. "$0"; COMP_WORDS=(idewire ${list}); COMP_CWORD=${words.length}; _idewire; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return type(fixture, "bash", ["--norc", "-c", code, script]);
  };
  expect(complete("se")).toEqual(["serve", "select"]);
  expect(complete("serve", "--sh")).toEqual(["--share"]);
  expect(complete("serve", "--share", "")).toEqual(["off", "path", "selection", "all"]);
  const dialects = [
    ...["claude-code", "gemini", "qwen", "copilot", "codex"],
    ...["claude-code-spec", "neovim", "jetbrains"],
  ];
  expect(complete("host", "--dialect", "")).toEqual(dialects);
  expect(complete("run", "co")).toEqual(["copilot", "codex"]);
  expect(complete("serve", "")).toEqual(expect.arrayContaining(["notes dir", "other"]));
  expect(complete("serve", "")).not.toContain("plan.md");
  expect(complete("select", "pl")).toEqual(["plan.md"]);
  expect(complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(complete("help", "doc")).toEqual(["doctor"]);
  expect(complete("trace", "sc")).toEqual(["scenario"]);
  expect(complete("trace", "scenario", "pl")).toEqual(["plan.md"]);
  expect(complete("comments", "add", "--ta")).toEqual(["--tag"]);
  expect(complete("list", "--cwd", "no")).toEqual(["notes dir"]);
  expect(complete("mcp", "connect", "--hide")).toEqual(["--hide-tools"]);
  expect(complete("mcp", "tools", "--cacert", "pl")).toEqual(["plan.md"]);
});

inShell("fish", "commands, options, values, files and folders are completed", async () => {
  const { fixture, script } = await openShell("fish");
  const complete = (line: string) =>
    type(fixture, "fish", ["--no-config", "-c", `source ${script}; complete -C "${line}"`]).map(
      (row) => row.split("\t")[0],
    );
  expect([...complete("idewire se")].sort()).toEqual(["select", "serve"]);
  expect(complete("idewire serve --sh")).toEqual(["--share"]);
  expect([...complete("idewire serve --share ")].sort()).toEqual([
    "all",
    "off",
    "path",
    "selection",
  ]);
  expect(complete("idewire serve o")).toEqual(["other/"]);
  expect(complete("idewire select pl")).toEqual(["plan.md"]);
  expect([...complete("idewire completion ")].sort()).toEqual(["bash", "fish", "zsh"]);
});

/** What zsh inserts for Tab at a prompt. */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste; zstyle ":completion:*" list-colors ""; autoload -Uz compinit; compinit -u -D; source "$SCRIPT"; bindkey "^I" complete-word; show() { print -r -- "<<$BUFFER>>"; BUFFER= ; zle accept-line }; zle -N show; bindkey "^X" show; print ready'
wait_for() { local out= part; integer tries=0; while zpty -r -t shell part || sleep 0.02; do out+=$part; [[ $out == *$~1* ]] && break; (( ++tries > 1000 )) && break; done; print -rn -- $out }
wait_for 'ready?' >/dev/null
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t'
  sleep 0.3
  zpty -w -n shell $'\\x18'
  wait_for '<<*>>' | tr -d '\\r' | sed -n 's/.*<<\\(.*\\)>>.*/\\1/p'
done
zpty -d shell
`;

inShell("zsh", "commands, options, values, files and folders are completed", async () => {
  const { fixture, script } = await openShell("zsh");
  const lines = [
    "idewire doc",
    "idewire serve --sh",
    "idewire serve --share sel",
    "idewire serve oth",
    "idewire select pl",
    "idewire completion fi",
  ];
  const env = `SCRIPT=${script}`;
  const output = type(fixture, "env", [env, "zsh", "-f", "-c", ZSH, "zsh", ...lines]);
  expect(output.map((line) => line.trim())).toEqual([
    "idewire doctor",
    "idewire serve --share",
    "idewire serve --share selection",
    "idewire serve other/",
    "idewire select plan.md",
    "idewire completion fish",
  ]);
});
