import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  claudeCode,
  claudeCodeSpec,
  createPathMap,
  type Dialect,
  defaultSharePolicy,
  type EditorHost,
  IdeServer,
  jetBrains,
  neovim,
  type ShareLevel,
} from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { shareLevels } from "@idewire/core/internal";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { createAgentSide } from "@idewire/node-server/internal";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type FolderHost, openFolderHost } from "./index.ts";

let root: string;
let folder: string;
let host: FolderHost;
let servers: IdeServer[];

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-existence-")));
  folder = join(root, "work");
  for (const name of ["sub", ".git", ".env.d", "../outside"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  for (const name of [".env", ".env.d/x", "server.pem", "../outside/a.md", "plain.md"]) {
    writeFileSync(join(folder, name), "text\n");
  }
  for (const name of [".git/index", "pixel.png", "../outside/pixel.png"]) {
    writeFileSync(join(folder, name), Buffer.from([0, 1, 2]));
  }
  writeFileSync(join(folder, "big.txt"), "x".repeat(16 * 1024 * 1024 + 1));
  execFileSync("mkfifo", [join(folder, "pipe"), join(folder, ".env.pipe")]);
  const links = {
    "to-env": ".env",
    "to-no-env": ".env.none",
    "to-key": "server.pem",
    "to-no-key": "other.pem",
    "to-pipe": ".env.pipe",
    "to-out": "../outside/a.md",
    "to-no-out": "../outside/b.md",
    "out-dir": "../outside",
    "git-dir": ".git",
    alias: "../work",
    "to-null": "/dev/null",
    loop: "loop",
    "loop-in": "loop-there",
    "loop-there": "loop-in",
    ".env.loop": ".env.loop",
    "loop-out": "../outside/loop-back",
    "../outside/loop-back": "../work/loop-out",
    "to-loop-outside": "../outside/loop",
    "../outside/loop": "loop",
    ...chain("long-in", 50),
    ...chain("../outside/long", 50),
    "to-long-outside": "../outside/long0",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
});

afterAll(() => removeFolder(root));

beforeEach(async () => {
  host = await openFolderHost(folder);
  servers = [];
});

afterEach(async () => {
  for (const server of servers) server.close();
  await host.close();
});

/** A chain of links that ends at an existing file. */
function chain(name: string, length: number): Readonly<Record<string, string>> {
  const next = (at: number) => (at === length ? "plain.md" : `${basename(name)}${at}`);
  const links = Array.from({ length }, (_, at) => [`${name}${at}`, next(at + 1)]);
  return Object.fromEntries(links);
}

/** An agent with a valid connection, on this machine or in a container. */
async function connect(dialect: Dialect, level: ShareLevel, agentFolder = folder) {
  const pathMap =
    agentFolder === folder ? undefined : createPathMap([{ host: folder, agent: agentFolder }]);
  const side = createAgentSide(host, { pathMap }, () => {});
  const share = side.share({ ...defaultSharePolicy, level });
  const server = new IdeServer({ host: side.host, dialect, share, platform: side.platform });
  servers.push(server);
  const [editor, agentEnd] = createMemoryTransportPair();
  server.open(editor);
  return McpClient.connect(agentEnd, { name: "agent", version: "1", era: "legacy" });
}

const dialects: readonly Dialect[] = [claudeCode, neovim, jetBrains, claudeCodeSpec];

/** Paths of something that exists and of something that does not, both hidden from agents. */
const pairs: readonly (readonly [there: string, missing: string])[] = [
  [".env", ".env.none"],
  [".env.pipe", ".env.none"],
  [".env.d", ".env.e"],
  [".env.d/x", ".env.d/y"],
  [".git/index", ".git/none"],
  ["git-dir/index", "git-dir/none"],
  ["server.pem", "other.pem"],
  ["to-env", "to-no-env"],
  ["to-pipe", "to-no-env"],
  ["to-key", "to-no-key"],
  ["to-out", "to-no-out"],
  ["out-dir/a.md", "out-dir/b.md"],
  ["out-dir/pixel.png", "out-dir/b.md"],
  ["../outside/a.md", "../outside/b.md"],
  ["../outside", "../elsewhere"],
  ["to-null", "to-no-out"],
  // The system follows neither cycles of links nor chains of more than 40.
  ["loop", "none"],
  ["loop/below", "none/below"],
  ["loop-in", "none"],
  ["long-in0", "none"],
  ["alias/loop", "alias/none"],
  [".env.loop", ".env.none"],
  ["loop-out", "to-no-out"],
  ["to-loop-outside", "to-no-out"],
  ["to-long-outside", "to-no-out"],
  ["../outside/loop", "../outside/b.md"],
];

/** Every tool with a path argument, in each dialect, except those for diffs. */
const calls: readonly (readonly [tool: string, args: (path: string) => object])[] = [
  ["openFile", (filePath) => ({ filePath })],
  ["openFile", (filePath) => ({ filePath, startText: "text", makeFrontmost: false })],
  ["open_files", (path) => ({ file_paths: [path] })],
  ["open_file", (file_path) => ({ file_path })],
  ["saveDocument", (filePath) => ({ filePath })],
  ["checkDocumentDirty", (filePath) => ({ filePath })],
  ["getDiagnostics", (path) => ({ uri: `file://${path}` })],
  ["getDiagnostics", (uri) => ({ uri })],
  ["get_diagnostics", (file_path) => ({ file_path })],
  ["reformat_file", (file_path) => ({ file_path })],
  ["close_tab", (tab_name) => ({ tab_name })],
  ["set_cursor_position", (file_path) => ({ file_path, line: 900, column: 0 })],
  [
    "set_selection",
    (file_path) => ({
      file_path,
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    }),
  ],
];

async function compare(agent: McpClient, inFolder: string): Promise<readonly string[]> {
  const tools = new Set((await agent.listTools()).map(({ name }) => name));
  const different: string[] = [];
  for (const [tool, args] of calls.filter(([name]) => tools.has(name))) {
    for (const pair of pairs) {
      const paths = pair.map((name) => join(inFolder, name));
      const answers = await Promise.all(
        paths.map(async (path) => {
          const answer = await agent.callTool(tool, args(path) as Record<string, unknown>);
          return JSON.stringify(answer).replaceAll(path, "PATH");
        }),
      );
      if (answers[0] !== answers[1]) different.push(`${tool} ${pair[0]}: ${answers.join(" | ")}`);
    }
  }
  return different;
}

describe("no request discloses whether an excluded file exists", () => {
  describe.each(shareLevels)("at the level %s", (level) => {
    test.each(dialects)("from the tools of $id", async (dialect) => {
      // Agents must not learn that the person has the files open either.
      for (const name of [".env", "server.pem"]) await host.open(join(folder, name) as never);
      expect(await compare(await connect(dialect, level), folder)).toEqual([]);
      expect(host.documents().map(({ label }) => label)).toEqual([".env", "server.pem"]);
    });

    test("from the tools of an agent in a container", async () => {
      const agent = await connect(claudeCode, level, "/srv/agent");
      expect(await compare(agent, "/srv/agent")).toEqual([]);
    });

    test.each(dialects)(
      "from a proposal to $id, which waits as for a new file",
      async (dialect) => {
        const names = [
          ...new Set([...pairs.flat(), "sub", "pixel.png", "big.txt", "pipe", "no.md", "plain.md"]),
        ];
        const agent = await connect(dialect, level);
        const answered: string[] = [];
        const shown = new Set<string>();
        const all = new Promise<void>((resolve) => {
          host.onDiff("diffOpened", ({ request }) => {
            shown.add(request.title);
            if (shown.size === names.length) resolve();
          });
        });
        for (const name of names) {
          const old_file_path = join(folder, name);
          const args = { old_file_path, new_file_path: old_file_path, new_file_contents: "new" };
          void agent.callTool("openDiff", { ...args, tab_name: name }).then(
            (answer) => void answered.push(`${name}: ${JSON.stringify(answer)}`),
            () => undefined,
          );
        }
        await all;
        expect(answered).toEqual([]);
        expect((host as EditorHost & FolderHost).pendingDiffs).toHaveLength(names.length);
      },
    );
  });
});

describe("of an excluded document that is active", () => {
  test("the length of its lines is not disclosed", async () => {
    await host.open(join(folder, ".env") as never);
    const agent = await connect(jetBrains, "all");
    const ask = async (line: number) =>
      JSON.stringify(await agent.callTool("set_cursor_position", { line, column: 0 }));
    expect(await ask(0)).toBe(await ask(900));
    await host.open(join(folder, "plain.md") as never);
    expect(await ask(0)).not.toBe(await ask(900));
  });
});

test("a link target outside the folder is refused like any path outside", async () => {
  const agent = await connect(claudeCode, "selection");
  for (const name of ["to-out", "to-no-out", "out-dir/a.md", "../outside/a.md"]) {
    const path = join(folder, name);
    const found = JSON.stringify(await agent.callTool("getDiagnostics", { uri: `file://${path}` }));
    const opened = JSON.stringify(await agent.callTool("openFile", { filePath: path }));
    expect([found, opened].map((text) => text.includes("outside the workspace"))).toEqual([
      true,
      true,
    ]);
  }
});
