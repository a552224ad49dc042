import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Makes a program for Node of a source file. */
export async function bundleProgram(source: URL, outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(source)],
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
