import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { packageNamed } from "./packages.ts";

const core = packageNamed("core");
const packages = [core, packageNamed("devtools"), packageNamed("paired-comments")];
const neutral = packages.flatMap(({ name, entries }) =>
  entries
    .filter(({ key }) => key !== "./node")
    .map(({ key, built }) => ({ entry: `${name}${key.slice(1)}`, built })),
);

test("core declares a platform of globals that every host has", () => {
  expect(platformGlobals()).toContain("setTimeout");
  expect(platformGlobals().filter((name) => !(name in globalThis))).toEqual([]);
});

test.each(neutral)("$entry loads without any other global", async ({ built }) => {
  const exported = await evaluateAlone(`export * from ${JSON.stringify(built)}`);
  expect(Object.keys(exported)).not.toEqual([]);
});

test("a call and its answer need no other global", async () => {
  const entry = core.entries.find(({ key }) => key === "./rpc");
  const { answer } = await evaluateAlone(`
    import { Peer, createMemoryTransportPair } from ${JSON.stringify(entry?.built)};
    const [here, there] = createMemoryTransportPair();
    const client = new Peer(here);
    const server = new Peer(there);
    server.handle("add", ({ params }) => params.a + params.b);
    export const answer = client.request("add", { a: 19, b: 23 });
  `);
  expect(await answer).toBe(42);
});

/** Bundles for no platform and runs the bundle in a context with only ES2022 and platform.d.ts. */
async function evaluateAlone(source: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: core.folder },
    bundle: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["browser"],
    // Imports of web-tree-sitter for Node.
    external: ["module", "fs/promises"],
    format: "iife",
    globalName: "bundle",
    target: "es2022",
    write: false,
  });
  const context = createContext(
    Object.fromEntries(platformGlobals().map((name) => [name, Reflect.get(globalThis, name)])),
    { codeGeneration: { strings: false, wasm: false } },
  );
  // V8 adds these to every context; they are not part of ES2022.
  runInContext("delete globalThis.console; delete globalThis.WebAssembly;", context);
  runInContext(outputFiles[0]?.text ?? "", context);
  return runInContext("bundle", context);
}

function platformGlobals(): readonly string[] {
  const declarations = readFileSync(join(core.folder, "src/platform.d.ts"), "utf8");
  return [...declarations.matchAll(/^declare (?:const|function) (\w+)/gm)].map(
    ([, name]) => name ?? "",
  );
}
