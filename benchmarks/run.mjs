// `pnpm bench`: bundles the benchmarks' own TypeScript (Node 20 runs none) and runs them. What they
// measure is what ships: `@idewire/*` is imported from its dist.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const args = process.argv.slice(2);
const options = { against: { type: "string" } };
const { against } = parseArgs({ args, options, strict: false }).values;
await bundle(fileURLToPath(new URL(".", import.meta.url)));
// The other checkout is measured by the workloads that it has.
if (typeof against === "string") await bundle(join(against, "benchmarks"));
const { main } = await import("./dist/main.js");
process.exitCode = await main(args);

async function bundle(folder) {
  await build({
    absWorkingDir: folder,
    entryPoints: ["src/main.ts", "src/worker.ts", "src/reader.ts", "src/stdio-server.ts"],
    outdir: "dist",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
}
