import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { pack } from "../../tests/packaging/packages.ts";
import { readDocBlocks } from "../../tests/src/doc-blocks.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../../tests/src/reference-clients/serve-context.ts";
import { kind } from "./kind.ts";
import { EditorTerminal } from "./terminal.ts";

/** The limit of two minutes holds on an idle machine; this factor allows for a busy one. */
const SLACK = 3;

/** The steps of a README: the file for its lines, the editor's command, the keys that select a line. */
const ways = {
  neovim: {
    init: ".config/nvim/init.lua",
    lines: "runtimepath:append",
    words: ["nvim"],
    keys: ["V"],
  },
  emacs: {
    init: ".emacs.d/init.el",
    lines: "use-package idewire",
    words: ["emacs", "-nw"],
    keys: ["C-a", "C-Space", "C-e"],
  },
} as const;

const way = ways[kind.word as keyof typeof ways];

/** Installs the command as `npm install -g idewire` does, but from locally packed packages. */
async function installCommand({ env, fixture }: Workspace) {
  const prefix = join(fixture.root, "npm");
  const path = `${join(prefix, "bin")}:${process.env["PATH"] ?? ""}`;
  const variables = { ...env, PATH: path, npm_config_prefix: prefix };
  const tarballs = (await pack(fixture.root)).map(({ filename }) => join(fixture.root, filename));
  const words = ["install", "-g", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs];
  // This machine's registry settings apply.
  await promisify(execFile)("npm", words, { env: { ...process.env, ...variables } });
  return variables;
}

/** The lines of the README; for an Emacs without use-package, the lines that the command prints. */
function linesFor(env: Readonly<Record<string, string | undefined>>): string {
  const hasUsePackage = () =>
    spawnSync("emacs", ["--batch", "--eval", "(require 'use-package)"]).status === 0;
  if (kind.word === "emacs" && !hasUsePackage()) {
    const { stdout } = spawnSync("idewire", ["editor", "emacs"], { encoding: "utf8", env });
    return /^;; (\(.*)$/m.exec(stdout)?.[1] ?? expect.unreachable();
  }
  const blocks = readDocBlocks().filter(({ page }) => page === `editors/${kind.word}/README.md`);
  return blocks.find(({ code }) => code.includes(way.lines))?.code ?? expect.unreachable();
}

test("the README leads from a bare machine to a selection in the agent within two minutes", async () => {
  const workspace = openWorkspace();
  const started = performance.now();
  const env = await installCommand(workspace);
  const init = join(workspace.env.HOME, way.init);
  mkdirSync(dirname(init), { recursive: true });
  writeFileSync(init, linesFor(env));
  write(workspace, "a.txt", "one\ntwo\n");
  const variables = Object.entries(env).filter((each): each is [string, string] => !!each[1]);
  const editor = new EditorTerminal(workspace, [...way.words, "a.txt"], {
    env: Object.fromEntries(variables),
  });
  await editor.shows("one");
  const client = await startClient(workspace);
  await client.untilReady();
  editor.keys(...way.keys);
  await client.until("the selection", () => client.inbox.context?.text?.trimEnd() === "one");
  expect(performance.now() - started).toBeLessThan(120_000 * SLACK);
  await client.exit();
  expect(client.violations).toEqual([]);
});
