import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type CommandPlace, createCommandPlace } from "../src/command-place.ts";
import { readDocBlocks } from "../src/doc-blocks.ts";
import { LineProgram } from "../src/line-program.ts";

// Every command of the documentation, in a home and a folder with hostile names; those of docs/start are in
// get-started.test.ts.

/** The outcome of a command: it serves until it is stopped, or exits with a code. */
type Outcome = { readonly serves: RegExp } | { readonly exits: number; readonly shows?: RegExp };

const serves: Outcome = { serves: /is the editor of|proxy of|agent of|connected to/ };
const succeeds: Outcome = { exits: 0 };

/** By the line in the documentation, without its trailing comment. */
const commands: Readonly<Record<string, Outcome>> = {
  'npx idewire simulate examples/scenarios/diff-accepted.jsonl -- node "$PWD/examples/scenarios/agent.js"':
    succeeds,
  "idewire inspect --record day.jsonl": serves,
  // That file does not exist here; tests/playground/inspect-servers.test.ts has one.
  "idewire inspect --config ~/.cursor/mcp.json": { exits: 1 },
  'idewire comments add src/parse.ts:120 "Why is this read twice?" --tag QUESTION': succeeds,
  "idewire comments check --since main": succeeds,
  "idewire check": succeeds,
  "idewire check --junit report.xml": succeeds,
  "idewire serve --web": serves,
  "idewire serve --web --comments": serves,
  "idewire serve --record day.jsonl": serves,
  "idewire comments serve ~/project --errors spec": succeeds,
  "exec npx idewire comments check --since HEAD": succeeds,
  "git config merge.comments.driver 'npx idewire comments merge %O %A %B %P'": succeeds,
  'idewire serve --lsp "typescript-language-server --stdio" --lsp "pyright-langserver --stdio"':
    serves,
  'idewire serve --lint "npx tsc --noEmit" --lint "make lint" --matcher gcc': serves,
  'idewire serve --lsp "yaml-language-server --stdio" --lsp-settings \'{"yaml.schemas": {"./app.schema.json": "app.yaml"}}\'':
    serves,
  'idewire serve --lsp "pylsp" --lsp-settings pylsp.json --lsp rust-analyzer --lsp-init-options rust.json':
    serves,
  "idewire run notes -- my-agent --flag": { exits: 0, shows: /my-agent --flag/ },
  "idewire check --agent gemini": succeeds,
  "idewire editor emacs": succeeds,
  "idewire editor neovim": succeeds,
  "idewire editor neovim --install": succeeds,
  "npx idewire serve": serves,
  "idewire serve [folder]": serves,
  'eval "$(idewire completion bash)"': succeeds,
  "idewire completion fish > ~/.config/fish/completions/idewire.fish": succeeds,
};

const PUBLISHED = "starts a published agent, which the tests do not install";
const NETWORK = "needs the internet";
const ELSEWHERE = "needs another machine, a container or Windows";
const REPOSITORY =
  "a script of this repository, for its developers: continuous integration runs it";
const INSTALL = "tests/packaging/first-contact.test.ts installs and runs it";

/** Commands left out here, with the reason; the first match counts. */
const exceptions: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^npm install @idewire/, INSTALL],
  [/^(git clone|npm start|cd examples\/vault$)/, "tests/e2e/readme.test.ts follows these steps"],
  [
    /^\$? ?idewire serve notes --script|^\{"(event|do)"/,
    "packages/cli/src/serve/script/script-schema.test.ts",
  ],
  [/docker|^ssh |^scp |172\.|CLAUDE_CODE_IDE_HOST_OVERRIDE|claude-container|-e CLAUDE/, ELSEWHERE],
  [/^idewire serve ~\/vault/, ELSEWHERE],
  [/^(claude|codex|opencode|idewire run (claude|opencode))\b/, PUBLISHED],
  [/server-everything|example\.com/, NETWORK],
  [
    /-- (npx (-y )?my-server|node (dist\/)?server\.js)$/,
    "tests/e2e/mcp-checks.test.ts starts servers",
  ],
  [
    /^(npm (run|test|install$|--prefix|install )|npx vitest|IDEWIRE_(SEED|AGENTS)=|cd tests\/|# )/,
    REPOSITORY,
  ],
  [/^node server\.js$/, "tests/e2e/example-pages.test.ts runs it"],
  [/^#!\/bin\/sh$/, "the first line of a script"],
  [/^bind-key/, "tests/e2e/key-bindings.test.ts"],
];

const lines = readDocBlocks()
  .filter(({ language, page }) => language === "sh" && !page.startsWith("docs/start/"))
  .flatMap(({ page, code }) =>
    code
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => ({ page, line: line.replace(/ {2,}#.*$/, "").trim() })),
  )
  .filter(({ line }) => line !== "");

const reasonFor = (line: string) => exceptions.find(([pattern]) => pattern.test(line))?.[1];
const run = [...new Set(lines.map(({ line }) => line))].filter(
  (line) => reasonFor(line) === undefined,
);

test("every command of the documentation is run here, or listed with the reason", () => {
  expect([...run].sort()).toEqual(Object.keys(commands).sort());
});

let place: CommandPlace;
let home: string;
let folder: string;

beforeAll(() => {
  place = createCommandPlace();
  ({ home, folder } = place);
  mkdirSync(join(home, ".config/fish/completions"), { recursive: true });
  // A symbolic link, so that the agent of the examples resolves its packages from its real path.
  symlinkSync(fileURLToPath(new URL("../../examples", import.meta.url)), join(folder, "examples"));
  place.program("my-agent", 'echo "my-agent $*"');
  mkdirSync(join(folder, "notes"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/parse.ts"), "// a line\n".repeat(200));
  for (const name of ["pylsp.json", "rust.json"]) writeFileSync(join(folder, name), "{}");
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: folder, env: place.env });
  git("init", "-qb", "main");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
});
afterAll(() => place.remove());

/** An editor in the folder, for commands that need one. */
async function openEditor(): Promise<LineProgram> {
  const editor = new LineProgram("/bin/bash", ["-c", "idewire serve --script"], {
    env: place.env,
    cwd: folder,
  });
  await editor.shows('"listening"');
  return editor;
}

test.each(Object.entries(commands))(
  "%s",
  async (line, outcome) => {
    // A recording is never overwritten.
    rmSync(join(folder, "day.jsonl"), { force: true });
    const needsEditor = /idewire (check|inspect)/.test(line);
    const editor = needsEditor ? await openEditor() : undefined;
    const runnable = line.replace("[folder]", '"$PWD"');
    const shell = new LineProgram("/bin/bash", ["-c", runnable], {
      env: place.env,
      cwd: folder,
    });
    if ("serves" in outcome) {
      await vi
        .waitUntil(() => outcome.serves.test(shell.output + shell.errors), { timeout: 30_000 })
        .catch(() => {
          throw new Error(shell.describe());
        });
      shell.endInput();
      process.kill(-shell.pid, "SIGINT");
      await shell.exited;
      expect(existsSync(join(folder, "day.jsonl"))).toBe(line.includes("--record"));
    } else {
      shell.endInput();
      expect(await shell.exited, shell.describe()).toBe(outcome.exits);
      if (outcome.shows) expect(shell.output).toMatch(outcome.shows);
    }
    if (editor !== undefined) {
      editor.type({ do: "stop" });
      await editor.exited;
    }
    expect(existsSync(join(folder, "pwned")) || existsSync(join(home, "pwned"))).toBe(false);
  },
  60_000,
);

test("the commands have written every file that they name", () => {
  expect(readFileSync(join(folder, "report.xml"), "utf8")).toContain("<testsuites");
  expect(readFileSync(join(home, ".config/fish/completions/idewire.fish"), "utf8")).toContain(
    "complete",
  );
  expect(readFileSync(join(folder, "src/parse.ts.comments"), "utf8")).toContain(
    "Why is this read twice?",
  );
});
