import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CommandPlace, createCommandPlace } from "../src/command-place.ts";
import { type DocBlock, readDocBlocks } from "../src/doc-blocks.ts";
import { LineProgram } from "../src/line-program.ts";

// A newcomer's path: the commands of each page of Get started in order, as in a clone.

/** The outcome of a command: it keeps running once its output matches, or it exits with 0. */
type Outcome = { readonly runs: RegExp; readonly alone?: true } | { readonly ends: RegExp };

const serves = { runs: /is the editor of/ };
const inspects: Outcome = { runs: /is (a client|an agent) of/ };

const outcomes: Readonly<Record<string, Outcome>> = {
  "npx idewire doctor": { ends: /handshake/i },
  "npx idewire serve ~/notes": serves,
  'npx idewire serve ~/project --lsp "typescript-language-server --stdio" --lint "npx eslint ."':
    serves,
  // By the page's text, it replaces the previous command.
  "npx idewire serve ~/notes --web": { ...serves, alone: true },
  "python3 examples/any-editor/host.py examples/vault": { runs: /agents can find/ },
  "npx idewire check --gentle": { ends: /passed/ },
  "npx idewire check --junit report.xml": { ends: /passed/ },
  'npx idewire simulate examples/scenarios/diff-accepted.jsonl -- node "$PWD/examples/scenarios/agent.js"':
    { ends: /all \d+ steps met/ },
  'npx idewire simulate examples/scenarios/diff-rejected.jsonl -- node "$PWD/examples/scenarios/agent.js"':
    { ends: /all \d+ steps met/ },
  "npx idewire serve examples/vault": serves,
  "npx idewire list": { ends: /vault/ },
  "npx idewire call getOpenEditors": { ends: /tabs/ },
  "npx idewire inspect --as-agent --web": inspects,
  "npx idewire mcp tools -- node weather.mjs": { ends: /forecast/ },
  'npx idewire mcp call forecast \'{"city":"Oslo"}\' -- node weather.mjs': {
    ends: /^Sunny in Oslo$/m,
  },
  "npx idewire inspect -- node weather.mjs": inspects,
  "npx idewire check --baseline mcp-tools.json -- node weather.mjs": { ends: /1 tool/ },
  "npx idewire serve examples/vault --record day.jsonl": serves,
  "npx idewire call getWorkspaceFolders": { ends: /vault/ },
  "npx idewire tail": { runs: /→ .* on port/ },
  "npx idewire trace summary day.jsonl": { ends: /frames in/ },
};

/** Lines that are not run here, with the reason. */
const exceptions: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^git clone/, "tests/e2e/readme.test.ts runs it"],
  [/^(claude|codex|npx idewire run claude)/, "starts a published agent"],
  [/server-everything|example\.com/, "needs the internet"],
  [/--config \.mcp\.json/, "tests/playground/inspect-servers.test.ts has such a file"],
  [/^npm run /, "continuous integration runs it"],
];

/** Replacements of commands, since the tests have installed and built everything already. */
const standIns: Readonly<Record<string, string>> = {
  "npm start": "npx idewire serve examples/vault",
};

const blocks = readDocBlocks().filter(({ page }) => page.startsWith("docs/start/"));
const pages = [...new Set(blocks.map(({ page }) => page))];

/** The lines of a block without trailing comments. */
function linesOf({ code }: DocBlock): readonly string[] {
  const lines = code.split("\n").map((line) => line.replace(/ {2,}(#|the |puts ).*$/, "").trim());
  return lines.filter((line) => line !== "" && !exceptions.some(([pattern]) => pattern.test(line)));
}

test("there is a page for each kind of user", () => {
  expect(pages.map((page) => page.replace("docs/start/", "")).sort()).toEqual(
    ["README.md", "agents.md", "editors.md", "learners.md", "mcp-servers.md"].sort(),
  );
});

/** As much of a clone after `npm start` as the pages need. */
function createClone(): CommandPlace {
  const place = createCommandPlace();
  onTestFinished(() => place.remove());
  const root = fileURLToPath(new URL("../../", import.meta.url));
  mkdirSync(join(place.folder, "examples"));
  cpSync(join(root, "examples/vault"), join(place.folder, "examples/vault"), { recursive: true });
  for (const name of ["node_modules", "examples/any-editor", "examples/scenarios"]) {
    symlinkSync(join(root, name), join(place.folder, name));
  }
  return place;
}

/** The terminals of a person who follows a page. */
class Terminals {
  readonly #place: CommandPlace;
  readonly #running: LineProgram[] = [];
  #cwd: string;

  constructor(place: CommandPlace) {
    this.#place = place;
    this.#cwd = place.folder;
  }

  async follow({ language, code }: DocBlock, lines: readonly string[]): Promise<void> {
    const [, name] = /^\/\/ (\S+\.mjs)\n/.exec(code) ?? [];
    if (name !== undefined) writeFileSync(join(this.#place.folder, name), code);
    if (language === "text") for (const line of lines) await this.#type(line);
    if (language === "sh") for (const line of lines) await this.#run(line);
  }

  async #run(line: string): Promise<void> {
    const [, folder] = /^cd (\S+)$/.exec(line) ?? [];
    if (folder !== undefined) {
      this.#cwd = join(this.#place.folder, folder);
      return;
    }
    const command = standIns[line] ?? line;
    const outcome = outcomes[command];
    if (outcome === undefined) throw new Error(`no outcome is known of: ${line}`);
    if ("alone" in outcome) await this.#stop();
    const options = { env: this.#place.env, cwd: this.#cwd };
    const program = new LineProgram("/bin/bash", ["-c", command], options);
    if ("runs" in outcome) {
      this.#running.push(program);
      await shown(program, outcome.runs);
    } else {
      program.endInput();
      expect(await program.exited, program.describe()).toBe(0);
      expect(program.output + program.errors).toMatch(outcome.ends);
    }
  }

  async #stop(): Promise<void> {
    for (const program of this.#running.splice(0)) {
      process.kill(-program.pid, "SIGINT");
      await program.exited;
    }
  }

  /** Types in the first terminal; a selection shows in the last one. */
  async #type(line: string): Promise<void> {
    const [first] = this.#running;
    first?.type(line);
    const last = this.#running.at(-1);
    if (line.startsWith("select") && last !== undefined) await shown(last, /beds\.md/);
    if (line !== "quit") return;
    expect(await first?.exited, first?.describe()).toBe(0);
    this.#cwd = this.#place.folder;
  }
}

async function shown(program: LineProgram, words: RegExp): Promise<void> {
  await vi
    .waitUntil(() => words.test(program.output + program.errors), { timeout: 30_000 })
    .catch(() => {
      throw new Error(program.describe());
    });
}

// Process groups and `sh` exist only on POSIX.
test.skipIf(process.platform === "win32").each(pages)(
  "%s leads where it promises, line by line",
  async (page) => {
    const place = createClone();
    const terminals = new Terminals(place);
    const ofPage = blocks.filter((block) => block.page === page);
    for (const block of ofPage) await terminals.follow(block, linesOf(block));
    expect(existsSync(join(place.folder, "pwned"))).toBe(false);
  },
  120_000,
);
