import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EditorTerminal, findEditor } from "../../editors/test/terminal.ts";
import { sh, untilControlled } from "../src/control-context.ts";
import { readDocBlocks } from "../src/doc-blocks.ts";
import { builtBin } from "../src/line-program.ts";
import {
  openServedSession,
  openWorkspace,
  type ServedSession,
  write,
} from "../src/reference-clients/serve-context.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";

// The recipes of docs/recipes/key-bindings.md, in the programs for which they are written.

const blocks = readDocBlocks().filter(({ page }) => page.endsWith("recipes/key-bindings.md"));
const recipe = (language: string, word: string) => {
  const found = blocks.find((block) => block.language === language && block.code.includes(word));
  if (found === undefined) throw new Error(`there is no block of ${language} with ${word}`);
  return found.code;
};

const vim = findEditor("vim");
const inVim = vim === undefined ? "not run: vim or tmux is missing: " : "in Vim, ";
/** Its recipe uses expansions of 25.07. */
const helix = findEditor("hx");
const [, year = 0, month = 0] = (/ (\d+)\.(\d+)/.exec(helix ?? "") ?? []).map(Number);
const hasHelix = year * 100 + month >= 2507;
const inHelix = hasHelix ? "in Helix, " : "not run: Helix 25.07 or tmux is missing: ";
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const inTmux = hasTmux ? "in tmux, " : "not run: tmux is missing: ";

const hostile = 'it\'s "a" $(touch pwned) `touch pwned` ü 🚀 %#*[x] & c;d';

/** A program `idewire` in the path, for a recipe. */
function pathWithIdewire({ workspace }: ServedSession): string {
  const bin = join(workspace.fixture.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "idewire"), `#!/bin/sh\nexec '${process.execPath}' '${builtBin}' "$@"\n`);
  chmodSync(join(bin, "idewire"), 0o755);
  return `${bin}:/usr/local/bin:/usr/bin:/bin`;
}

interface Recipe {
  /** The command that starts the editor, before the name of the file. */
  readonly words: (config: string) => readonly string[];
  readonly config: string;
}

function openInVim(name: string, text: string) {
  const config = `set nocompatible\nlet mapleader = ","\n${recipe("vim", "xnoremap")}`;
  return openIn({ config, words: (vimrc) => ["vim", "-n", "-u", vimrc] }, name, text);
}

function openInHelix(name: string, text: string) {
  const config = recipe("toml", "pipe-to");
  return openIn({ config, words: (path) => ["hx", "-c", path] }, name, text);
}

async function openIn({ words, config }: Recipe, name: string, text: string) {
  const session = await openServedSession();
  const { workspace } = session;
  await untilControlled(workspace);
  write(workspace, name, text);
  const path = join(workspace.fixture.root, "config");
  writeFileSync(path, config);
  const terminal = new EditorTerminal(workspace, [...words(path), "--", name], {
    env: { PATH: pathWithIdewire(session), LC_ALL: "C.UTF-8" },
  });
  const selected = (wanted: string) =>
    session.client.until(wanted, () => session.client.inbox.context?.text === wanted);
  return { ...session, terminal, selected };
}

test.skipIf(vim === undefined)(
  `${inVim}lines and characters are selected, unsaved and in both directions`,
  async () => {
    const { terminal, client, selected } = await openInVim("a.txt", "one\na 🚀 ü b\nthree\n");
    await client.until("the active file", () => client.badge === "⧉ In a.txt");
    terminal.keys("G", "o", "unsaved", "Escape", "V", "k", ",as");
    await selected("three\nunsaved");
    terminal.keys("Escape", "g", "g", "j", "0", "l", "l", "v", "l", ",as");
    await selected("🚀 ");
    expect(client.inbox.context).toMatchObject({ startLine: 1 });
    terminal.keys("Escape", "$", "v", "F", "ü", ",as");
    await selected("ü b");
    terminal.keys("Escape", "v", "g", "g", ",as");
    await selected("one\na 🚀 ü");
    terminal.keys("Escape", ",am");
    await client.until("the mention", () => client.promptInput.includes("@a.txt"));
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);

test.skipIf(vim === undefined)(`${inVim}no shell reads the name of a file`, async () => {
  const name = `${hostile}\n.txt`;
  const { workspace, terminal, client, selected } = await openInVim(name, "inside\n");
  await client.until("the active file", () => client.badge?.startsWith("⧉ In it's") === true);
  terminal.keys("V", ",as");
  await selected("inside");
  terminal.keys("Escape", ",am");
  await client.until("the mention", () => client.promptInput.includes("$(touch pwned)"));
  expect(existsSync(join(workspace.folder, "pwned"))).toBe(false);
  await client.exit();
});

test.skipIf(vim === undefined)(`${inVim}a failure is one message, and typing goes on`, async () => {
  const { serve, terminal } = await openInVim("a.txt", "one\n");
  await serve.close();
  terminal.keys(",am");
  await terminal.shows("no editor serves");
  terminal.keys("G", "o", "more");
  await terminal.shows("more");
  expect(terminal.screen).not.toContain("Press ENTER");
});

test.skipIf(!hasHelix)(
  `${inHelix}whole lines are selected, saved or not, and no shell reads the name of a file`,
  async () => {
    const name = `${hostile.replaceAll("'", "")}.txt`;
    const { workspace, terminal, client, selected } = await openInHelix(name, "one\ntwo\n");
    await terminal.shows("1 sel");
    terminal.keys("j", "Space", "A", "s");
    await selected("two");
    terminal.keys("o");
    await terminal.shows("INS");
    terminal.type("unsaved ü");
    await terminal.shows("unsaved ü");
    terminal.keys("Escape");
    await terminal.shows("NOR");
    terminal.keys("Space", "A", "s");
    await selected("unsaved ü");
    terminal.keys("Space", "A", "m");
    await client.until("the mention", () => client.promptInput.includes("$(touch pwned)"));
    expect(existsSync(join(workspace.folder, "pwned"))).toBe(false);
    await client.exit();
  },
);

/** A tmux with a configuration, inside the terminal of another one, as it reads keys only from a client. */
function openTmux(session: ServedSession, config: string): EditorTerminal {
  const { folder, fixture } = session.workspace;
  const socket = join(fixture.root, "own.tmux");
  const script = 'cd "$1" && exec tmux -S "$2" -f "$3" new-session sh';
  const terminal = new EditorTerminal(
    session.workspace,
    ["sh", "-c", script, "sh", folder, socket, config],
    { cwd: fixture.root, env: { PATH: pathWithIdewire(session), TMUX: "" } },
  );
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  return terminal;
}

test.skipIf(!hasTmux)(
  `${inTmux}keys clear the selection and report a build, and no shell reads the name of a folder`,
  async () => {
    const workspace = openWorkspace("config-dir", `${hostile}\nx`);
    const session = await openServedSession({}, workspace);
    const { client } = session;
    onTestFinished(() => client.exit());
    await untilControlled(workspace);
    write(workspace, "a.c", "int a;\n");
    write(workspace, "Makefile", "all:\n\t@echo 'a.c:1:5: error: wrong'; false\n");
    const config = join(workspace.fixture.root, "tmux.conf");
    writeFileSync(config, recipe("sh", "bind-key"));
    const terminal = openTmux(session, config);
    terminal.type("idewire select a.c:1");
    terminal.keys("Enter");
    await client.until("the selection", () => client.inbox.context?.text === "int a;");
    terminal.keys("C-b", "C");
    await client.until("no selection", () => client.badge === undefined);
    terminal.keys("C-b", "B");
    const problems = async () => (await sh(workspace, "idewire call getDiagnostics")).output;
    await expect.poll(problems, { timeout: TIMEOUT_MS }).toContain("wrong");
    expect(existsSync(join(workspace.folder, "pwned"))).toBe(false);
  },
);
