import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

// A rule that a good server breaks wrongly is a fault of the rule.

/** Published servers: the command after `node_modules`, its arguments, and variables without which it ends. */
const servers: readonly {
  readonly name: string;
  readonly version: string;
  readonly bin: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}[] = [
  {
    name: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    bin: "mcp-server-everything",
  },
  {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    bin: "mcp-server-filesystem",
    args: ["."],
  },
  { name: "@modelcontextprotocol/server-memory", version: "2026.8.31", bin: "mcp-server-memory" },
  {
    name: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
    bin: "mcp-server-sequential-thinking",
  },
  { name: "@upstash/context7-mcp", version: "4.1.1", bin: "context7-mcp" },
  { name: "@playwright/mcp", version: "0.0.83", bin: "playwright-mcp" },
  { name: "chrome-devtools-mcp", version: "1.11.0", bin: "chrome-devtools-mcp" },
  {
    name: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    bin: "notion-mcp-server",
    env: { NOTION_TOKEN: "ntn_none" },
  },
  { name: "tavily-mcp", version: "0.2.22", bin: "tavily-mcp", env: { TAVILY_API_KEY: "none" } },
  { name: "@eslint/mcp", version: "0.3.13", bin: "mcp" },
  { name: "mcp-server-commands", version: "0.5.0", bin: "mcp-server-commands" },
  { name: "mcp-server-kubernetes", version: "4.1.7", bin: "mcp-server-kubernetes" },
];

let place: string;

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "idewire-published-servers-")));
  writeFileSync(join(place, "package.json"), '{"private":true}');
  const names = servers.map(({ name, version }) => `${name}@${version}`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...flags, ...names], { cwd: place, stdio: "pipe" });
}, 600_000);

afterAll(() => rmSync(place, { recursive: true, force: true }), 600_000);

test.each(servers)(
  "$name $version breaks no must",
  async ({ bin, args = [], env = {} }) => {
    const command = [join(place, "node_modules", ".bin", bin), ...args];
    const run = new CliRun(openFixture(), { args: ["check", "--json", "--", ...command], env });
    const code = await run.exited;
    const { results } = JSON.parse(run.output) as {
      readonly results: readonly {
        readonly id: string;
        readonly level: string;
        readonly verdict: string;
        readonly detail: string;
      }[];
    };
    const broken = results.filter(({ level, verdict }) => level === "must" && verdict === "fail");
    expect(broken.map(({ id, detail }) => `${id}: ${detail}`)).toEqual([]);
    expect(code).toBe(0);
  },
  180_000,
);
