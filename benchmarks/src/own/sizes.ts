import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rootOf } from "../checkout.ts";
import type { Contestant, Figures, Settings } from "../row.ts";

/** The source of an application that imports a part of ours, or of the official SDK. */
export interface Sources {
  readonly idewire: string;
  readonly "sdk-v1"?: string;
  readonly "sdk-v2"?: string;
}

/**
 * Sizes, in kB (1,000 bytes), of browser bundles of these sources: esbuild, minified, gzip, without the chunks of
 * dynamic imports.
 */
export async function sizesOf(sources: Sources, settings: Settings): Promise<Figures> {
  const figures: Partial<Record<Contestant, readonly number[]>> = {};
  for (const name of settings.contestants) {
    const source = { ...sources, floor: undefined, before: sources.idewire }[name];
    if (source !== undefined) figures[name] = [await sizeOf(source, rootOf(name, settings))];
  }
  return figures;
}

async function sizeOf(contents: string, checkout: string): Promise<number> {
  const outdir = join(checkout, "benchmarks/dist");
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: join(checkout, "benchmarks") },
    absWorkingDir: outdir,
    bundle: true,
    splitting: true,
    outdir,
    metafile: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error",
  });
  const loaded = new Set(["stdin.js"]);
  for (const name of loaded) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(path);
    }
  }
  const files = outputFiles.filter(({ path }) => loaded.has(relative(outdir, path)));
  return gzipSync(Buffer.concat(files.map(({ contents }) => contents))).length / 1000;
}
