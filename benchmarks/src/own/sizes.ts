import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { ImplementationName } from "../implementation.ts";
import type { Figures, Settings } from "../row.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** What an application writes to have something of us, or of the official SDK. */
export interface Sources {
  readonly idewire: string;
  readonly "sdk-v1"?: string;
  readonly "sdk-v2"?: string;
}

/** Sizes, in kB (1,000 bytes), of browser bundles of these sources: esbuild, minified, gzip. */
export async function sizesOf(sources: Sources, { contestants }: Settings): Promise<Figures> {
  const figures: Partial<Record<ImplementationName, readonly number[]>> = {};
  for (const name of contestants) {
    const source = name === "floor" ? undefined : sources[name];
    if (source !== undefined) figures[name] = [await sizeOf(source)];
  }
  return figures;
}

async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error",
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  return bytes / 1000;
}
