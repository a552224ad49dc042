// `pnpm bench`: bundles the benchmarks' TypeScript, which Node 20 cannot run, and runs it. The benchmarks
// measure the shipped code: `@idewire/*` is imported from its dist.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const args = process.argv.slice(2);
const options = { against: { type: "string" } };
const { against } = parseArgs({ args, options, strict: false }).values;
const workloads = [
  "src/main.ts",
  "src/worker.ts",
  "src/reader.ts",
  "src/stdio-server.ts",
  "src/http-server.ts",
];
await bundle(fileURLToPath(new URL(".", import.meta.url)), [
  ...workloads,
  "src/comments.ts",
  "src/comments-child.ts",
]);
// The other checkout is measured by its own workloads.
if (typeof against === "string") {
  const folder = join(against, "benchmarks");
  await bundle(
    folder,
    workloads.filter((file) => existsSync(join(folder, file))),
  );
}
if (args[0] === "comments") {
  const { measureComments } = await import("./dist/comments.js");
  process.exitCode = await measureComments();
} else {
  const { main } = await import("./dist/main.js");
  process.exitCode = await main(args);
}

async function bundle(folder, entryPoints) {
  await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: "dist",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
}
