import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a source file to a program for Node. */
export async function bundleProgram(source: URL, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@idewire/source"],
    // ws is CommonJS, and requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
}
