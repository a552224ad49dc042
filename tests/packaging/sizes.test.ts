import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageNamed } from "./packages.ts";

interface Budget {
  readonly what: string;
  readonly names: readonly string[];
  /** Of `@idewire/http`, and of its entry for OAuth. */
  readonly remote?: readonly string[];
  readonly oauth?: readonly string[];
  /** What a browser may pay, minified and gzipped, in kB of 1000 bytes. */
  readonly kB: number;
  /** A budget that is missed, and by how much: it shall not grow, and no line stay that is met. */
  readonly missedAt?: number;
}

const budgets: readonly Budget[] = [
  { what: "a JSON-RPC peer", names: ["Peer"], kB: 4.2 },
  { what: "an MCP client of the legacy era", names: ["McpClient"], kB: 6.46 },
  {
    what: "an MCP client of both eras",
    names: ["McpClient", "modernClientEra"],
    kB: 8,
    missedAt: 8.23,
  },
  {
    what: "an MCP client of both eras over HTTP",
    names: ["McpClient", "modernClientEra"],
    remote: ["createHttpTransport"],
    kB: 13,
    missedAt: 15.11,
  },
  {
    what: "an MCP client of both eras over HTTP with OAuth",
    names: ["McpClient", "modernClientEra"],
    remote: ["createHttpTransport"],
    oauth: ["createOAuth"],
    kB: 28,
  },
  {
    what: "all that, tokens bound to a key and an employer's identity provider",
    names: ["McpClient", "modernClientEra"],
    remote: ["createHttpTransport"],
    oauth: ["createOAuth", "createDpop", "exchangeIdToken"],
    kB: 30,
  },
  { what: "an editor behind a wire", names: ["Peer", "serveHost"], kB: 9 },
  { what: "the other end of that wire", names: ["Peer", "connectHost"], kB: 12 },
  {
    what: "an IDE server with its tools",
    names: ["createIdeServer", "claudeCode"],
    kB: 14.26,
  },
  { what: "a server with one tool, in the legacy era", names: ["McpServer", "defineTool"], kB: 7 },
  {
    what: "a server with one tool, in both eras",
    names: ["McpServer", "defineTool", "modernEra"],
    kB: 9,
  },
  {
    what: "the same with tools that ask",
    names: ["McpServer", "defineTool", "modernEra", "sealedRequestState", "elicit"],
    kB: 13,
  },
];

async function bundle({
  names,
  remote = [],
  oauth = [],
}: Pick<Budget, "names" | "remote" | "oauth">): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { ${names.join(", ")} } from "@idewire/core";
        export { ${remote.join(", ")} } from "@idewire/http";
        export { ${oauth.join(", ")} } from "@idewire/http/oauth";
      `,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

async function sizeOf(budget: Budget): Promise<number> {
  return gzipSync(await bundle(budget), { level: 9 }).byteLength / 1000;
}

test.each(budgets.filter(({ missedAt }) => missedAt === undefined))(
  "$what fits in $kB kB",
  async (budget) => {
    expect(await sizeOf(budget)).toBeLessThanOrEqual(budget.kB);
  },
);

test.each(budgets.filter(({ missedAt }) => missedAt !== undefined))(
  "$what misses its $kB kB still, with no more than $missedAt",
  async (budget) => {
    const kB = await sizeOf(budget);
    expect(kB).toBeGreaterThan(budget.kB);
    expect(kB).toBeLessThanOrEqual(budget.missedAt ?? 0);
  },
);

test("the host protocol costs nothing where it is not used", async () => {
  const server = new TextDecoder().decode(
    await bundle({ names: ["createIdeServer", "claudeCode"] }),
  );
  expect(server).toContain("selection_changed");
  expect(server).not.toContain("host/");
});

test("the plugin may bundle node-server's main entry: it needs core, ws and Node alone", async () => {
  const [main] = packageNamed("node-server").entries;
  const { metafile } = await build({
    entryPoints: [main?.built ?? ""],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    metafile: true,
    write: false,
  });
  const imported = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !path.startsWith("node:"));
  expect([...new Set(imported)].sort()).toEqual(["@idewire/core", "ws"]);
});

test("the command loads language servers and linters only when asked to", () => {
  const cli = packageNamed("cli").entries.find(({ built }) => built.endsWith("index.js"));
  const dist = dirname(cli?.built ?? "");
  const loaded = new Set(["index.js"]);
  for (const file of loaded) {
    const code = readFileSync(join(dist, file), "utf8");
    for (const [, name] of code.matchAll(/^import .*from "\.\/(.*)";$/gm)) loaded.add(name ?? "");
  }
  const waiting = ["shared-language-server.js", "shared-linter.js", "shared-parse-matchers.js"];
  const [all, atOnce] = [readdirSync(dist), [...loaded]];
  expect(all).toEqual(expect.arrayContaining([...waiting, ...atOnce]));
  expect(atOnce.filter((file) => waiting.includes(file))).toEqual([]);
});
