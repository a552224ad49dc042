import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Makes a program for Node of a source file of this folder. */
export async function bundleProgram(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@idewire/source"],
    // ws is CommonJS, and asks for what Node has.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
}
