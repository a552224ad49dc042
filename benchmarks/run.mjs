// `pnpm bench`: bundles the benchmarks' own TypeScript (Node 20 runs none) and runs them. What they
// measure is what ships: `@idewire/*` is imported from its dist.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
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
const { main } = await import("./dist/main.js");
process.exitCode = await main(process.argv.slice(2));
