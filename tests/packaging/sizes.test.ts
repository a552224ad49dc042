import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageNamed } from "./packages.ts";

interface Recorded {
  readonly what: string;
  /** A program's imports: names by the module that exports them. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  /** The recorded size, minified and gzipped, in kB of 1000 bytes. */
  readonly kB: number;
}

const client = { "@idewire/core/client": ["McpClient"] };
const overHttp = { ...client, "@idewire/http": ["connectMcp"] };

/** Sizes are reported by the benchmarks; here only large growth fails. */
const tolerance = 1.25;

const sizes: readonly Recorded[] = [
  { what: "a JSON-RPC peer", imports: { "@idewire/core/rpc": ["Peer"] }, kB: 5.85 },
  { what: "an MCP client", imports: client, kB: 17.3 },
  { what: "an MCP client over HTTP", imports: overHttp, kB: 28.1 },
  {
    what: "an MCP client over HTTP with OAuth",
    imports: { ...overHttp, "@idewire/http/oauth": ["createOAuth"] },
    kB: 40.05,
  },
  {
    what: "an editor behind a wire",
    imports: { "@idewire/core/rpc": ["Peer"], "@idewire/core": ["serveHost"] },
    kB: 13.25,
  },
  {
    what: "the other end of that wire",
    imports: { "@idewire/core/rpc": ["Peer"], "@idewire/core": ["connectHost"] },
    kB: 16.3,
  },
  {
    what: "an IDE server with its tools",
    imports: { "@idewire/core": ["createIdeServer", "claudeCode"] },
    kB: 33.9,
  },
  {
    what: "a server with one tool, in both eras",
    imports: { "@idewire/core/server": ["McpServer"] },
    kB: 26.25,
  },
];

/** The code that a program loads at once, without the chunks of dynamic imports. */
async function bundle(imports: Recorded["imports"]): Promise<Uint8Array> {
  const lines = Object.entries(imports).map(
    ([module, names]) => `export { ${names.join(", ")} } from "${module}";`,
  );
  const { outputFiles, metafile } = await build({
    stdin: { contents: lines.join("\n"), resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    splitting: true,
    outdir: import.meta.dirname,
    absWorkingDir: import.meta.dirname,
    metafile: true,
    write: false,
  });
  const loaded = new Set(["stdin.js"]);
  for (const name of loaded) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(path);
    }
  }
  return Buffer.concat(
    outputFiles
      .filter(({ path }) => loaded.has(relative(import.meta.dirname, path)))
      .map(({ contents }) => contents),
  );
}

test.each(sizes)("$what takes about $kB kB", async ({ imports, kB }) => {
  const size = gzipSync(await bundle(imports), { level: 9 }).byteLength / 1000;
  expect(size).toBeLessThanOrEqual(kB * tolerance);
});

test.each([
  ["a server", { "@idewire/core/server": ["McpServer"] }],
  ["a client", client],
  ["an editor", { "@idewire/core": ["createIdeServer"] }],
])("%s loads the validator of JSON Schema when it is first used", async (_, imports) => {
  const code = new TextDecoder().decode(await bundle(imports));
  expect(code).toContain("does not refer to the schema itself");
  expect(code).not.toContain("Instance does not have required property");
});

test("the host protocol costs nothing where it is not used", async () => {
  const server = new TextDecoder().decode(
    await bundle({ "@idewire/core": ["createIdeServer", "claudeCode"] }),
  );
  expect(server).toContain("selection_changed");
  expect(server).not.toContain("host/openDiff");
});

test("the plugin may bundle node-server's main entry: beside core, http and Node it needs a few small packages", async () => {
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
  expect([...new Set(imported)].sort()).toEqual([
    "@idewire/core",
    "@idewire/core/client",
    "@idewire/core/internal",
    "@idewire/core/internal/base",
    "@idewire/core/rpc",
    "@idewire/http/internal",
    "ignore",
    "valibot",
    "ws",
  ]);
});

test("the command loads language servers and linters only on request", () => {
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
