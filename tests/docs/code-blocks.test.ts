import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScenario } from "@idewire/devtools/scenario";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type DocBlock, readDocBlocks } from "../src/doc-blocks.ts";
import { removeFolder } from "../src/remove-folder.ts";

// A test runs every block of the documentation: this one runs JSON and the fragments without a name.

const blocks = readDocBlocks();
const written = (language: string) => blocks.filter((block) => block.language === language);
const placeOf = ({ page, line }: DocBlock) => `${page}:${line}`;

/** Which test runs the blocks of the other languages, or why none does. */
const languages: Readonly<Record<string, string>> = {
  sh: "tests/e2e/documented-commands.test.ts",
  vim: "tests/e2e/key-bindings.test.ts",
  toml: "a configuration of Helix, which Debian does not have",
  elisp: "a recipe for an editor",
  lua: "a configuration of Neovim; editors/neovim/test sets the same options",
  text: "output, or what a person types; no program",
  "": "output, or the options of a script of this repository",
};

test("a block has a language that a test runs, or that is listed with the reason", () => {
  const here = ["ts", "js", "json", "jsonc", "jsonl"];
  const known = new Set([...here, ...Object.keys(languages)]);
  expect(blocks.filter(({ language }) => !known.has(language)).map(placeOf)).toEqual([]);
});

test("every block of JSON can be parsed, and every block of lines is a scenario", () => {
  for (const block of [...written("json"), ...written("jsonc")]) {
    expect(() => JSON.parse(block.code), placeOf(block)).not.toThrow();
  }
  for (const block of written("jsonl")) {
    expect(parseScenario(block.code), placeOf(block)).toMatchObject({ ok: true });
  }
});

/** The code that surrounds a fragment in a program. */
interface Surroundings {
  /** The first line that occurs only in this fragment. */
  readonly has: string;
  readonly before?: string;
  /** A part that cannot run here. */
  readonly without?: RegExp;
  readonly after?: string;
}

const listen = 'import { listenIde as listenHere } from "@idewire/node-server";';
const fake = 'import { fakeEditorHost } from "@idewire/core/testing";';
/** An editor in the test's folder that accepts every diff. */
const editor = `${listen}
${fake}
const folder = process.cwd();
const acting = fakeEditorHost({
  workspace: () => ({ folders: [{ path: folder as never, name: "work" }], trusted: true }),
  openDiff: async ({ proposed }) => ({ kind: "accepted", text: proposed, edited: false }),
});
const served = await listenHere(acting);`;

/** By page: the code that a reader has around the fragment. */
const fragments: Readonly<Record<string, readonly Surroundings[]>> = {
  "docs/start/editors.md": [
    { has: "listenIde(myEditor)", before: `${fake}\nconst myEditor = fakeEditorHost();` },
  ],
  "packages/core/README.md": [
    {
      has: "openIdeSession(transport",
      before: `${fake}
import { createMemoryTransportPair } from "@idewire/core/rpc";
const host = fakeEditorHost();
const [transport, other] = createMemoryTransportPair();
setTimeout(() => other.close(), 20);`,
    },
  ],
  "packages/http/README.md": [
    {
      has: 'from "./server.js"',
      before: "const app = { all(_path: string, _handler: unknown) {} };",
    },
    {
      has: "const mcp = createMcpHandler(server, { resourceServer })",
      before: `import { McpServer } from "@idewire/core/server";
const server = new McpServer({ name: "files", version: "1.0.0" });`,
      after: "mcp.close();",
    },
  ],
  "packages/node-server/README.md": [
    { has: 'readSkills("skills")' },
    {
      has: "wslPathMap",
      before: `${fake}
import { listenIde } from "@idewire/node-server";
const host = fakeEditorHost({
  workspace: () => ({ folders: [{ path: "/home/me/notes" as never, name: "notes" }], trusted: true }),
});`,
      // Paths of WSL exist only on Windows.
      without: /^const inWsl = .*\n/m,
      after: "await elsewhere.close();",
    },
    { has: "connectIde({ name", before: editor, after: "await served.close();" },
  ],
  "docs/guide/testing.md": [
    {
      has: "findTarget({ cwd: folder })",
      before: editor,
      after: "await served.close();\nif (!ok) throw new Error(JSON.stringify(results));",
    },
  ],
};

/** Fragments that are run elsewhere, or that this test cannot run. */
const elsewhere: readonly (readonly [page: string, has: string, where: string])[] = [
  ["docs/start/mcp-servers.md", "// weather.mjs", "tests/e2e/documented-commands.test.ts"],
  ["docs/guide/testing.md", "simulateIde", "packages/cli/src/debug/simulate/simulate-ide.test.ts"],
  [
    "packages/codemirror/README.md",
    "showReview(review)",
    "packages/codemirror/src/host/code-mirror-host.test.ts, of a page with other buttons",
  ],
  ["examples/custom-ide/README.md", "openCustomIde", "tests/e2e/custom-ide.test.ts"],
  ...["showReview(review)", "new WebSocket(", "serveHosts(new WebSocketServer"].map(
    (has) => ["packages/codemirror/README.md", has, "tests/e2e/example-pages.test.ts"] as const,
  ),
  ["tests/obsidian-host/README.md", "host.pointer", "tests/plugin, for which it is an example"],
  ["packages/node-server/README.md", "// instance.mjs", "tests/instances/readme.test.ts"],
];

const code = [...written("ts"), ...written("js")];

/** The first code of a package's README prints what it promises, by tests/packaging/first-contact.test.ts. */
const isOpening = (block: DocBlock) =>
  /^packages\/[^/]+\/README\.md$/.test(block.page) &&
  code.find(({ page }) => page === block.page) === block;
/** tests/docs/contributing.test.ts writes these to files of their names. */
const isNamed = ({ code: text }: DocBlock) => /^\/\/ \S+\.ts\n/.test(text);
const isElsewhere = ({ page, code: text }: DocBlock) =>
  elsewhere.some(([other, has]) => page === other && text.includes(has));
const unnamed = code.filter((block) => ![isOpening, isNamed, isElsewhere].some((is) => is(block)));

test("every other block of code is a fragment that is run here", () => {
  const known = Object.entries(fragments).flatMap(([page, all]) =>
    all.map(({ has }) => unnamed.find((block) => block.page === page && block.code.includes(has))),
  );
  expect(known).not.toContain(undefined);
  expect(unnamed.filter((block) => !known.includes(block)).map(placeOf)).toEqual([]);
  for (const [page, has] of elsewhere) {
    expect(
      code.some((block) => block.page === page && block.code.includes(has)),
      has,
    ).toBe(true);
  }
});

const extracted = fileURLToPath(new URL("./.extracted-fragments/", import.meta.url));

describe("a fragment, in a home and a folder with hostile names", () => {
  let place: string;
  const cwd = process.cwd();

  beforeAll(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), "idewire-fragments-")));
    const hostile = (name: string) => join(place, `${name} it's "a" $(exit) ü 🚀 50% & c;d`);
    const skill = join(hostile("work"), "skills", "greet");
    for (const folder of [hostile("home"), skill, extracted])
      mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(skill, "SKILL.md"),
      "---\nname: greet\ndescription: Greets\n---\nSay hello.\n",
    );
    writeFileSync(
      join(extracted, "server.js"),
      `import { McpServer } from "@idewire/core/server";
export const server = new McpServer({ name: "s", version: "1", stateKeys: [new Uint8Array(32).fill(7)] });\n`,
    );
    vi.stubEnv("HOME", hostile("home"));
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(hostile("home"), ".claude"));
    vi.stubEnv("XDG_STATE_HOME", join(hostile("home"), "state"));
    vi.stubEnv("MCP_TOKEN", "a token of 16 bytes or more");
    process.chdir(hostile("work"));
  });
  afterAll(async () => {
    process.chdir(cwd);
    vi.unstubAllEnvs();
    rmSync(extracted, { recursive: true, force: true });
    await removeFolder(place);
  });

  const all = Object.entries(fragments).flatMap(([page, each]) =>
    each.map((fragment, index) => ({ page, index, ...fragment })),
  );

  test.each(all)("of $page runs: $has", async ({ page, index, has, ...around }) => {
    const { before = "", without = /^$(?!)/, after = "" } = around;
    const text =
      unnamed.find((block) => block.page === page && block.code.includes(has))?.code ?? "";
    const file = join(extracted, `${page.replaceAll(/\W/g, "-")}-${index}.ts`);
    const printed: unknown[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words));
    writeFileSync(file, `${before}\n${text.replace(without, "")}\n${after}\nexport {};\n`);
    try {
      expect(await import(/* @vite-ignore */ file)).toBeDefined();
    } finally {
      log.mockRestore();
    }
  });
});
