import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSourceReader, type SourceReader } from "@idewire/paired-comments";
import { fetchPackage, type Versions } from "./packages.ts";

const cache = fileURLToPath(new URL("../.packages", import.meta.url));
const grammars = new URL("../../../packages/paired-comments/dist/grammars/", import.meta.url);
const largestSource = 300_000;

const files = new Map<string, Promise<Uint8Array>>();

/** @param create from this package, or from a mutant */
export function createReader(create: typeof createSourceReader = createSourceReader): SourceReader {
  return create((name) => {
    const file = files.get(name) ?? readFile(new URL(name, grammars));
    files.set(name, file);
    return file;
  });
}

/** A source with the same path in two versions. */
export type Versioned = readonly [path: string, before: string, after: string];

/** The readable sources with the same path in both versions; for JavaScript only changed ones. */
export async function changedFiles(
  versions: Versions,
  isSource: (path: string) => boolean = isOfScripts,
): Promise<readonly Versioned[]> {
  const folders = await foldersOf(versions);
  const there = new Set(sourcesIn(folders[1], isSource));
  return sourcesIn(folders[0], isSource)
    .filter((path) => there.has(path))
    .map((path): Versioned => {
      const read = (folder: string) => readFileSync(join(folder, path), "utf8");
      return [path, read(folders[0]), read(folders[1])];
    })
    .filter(
      ([path, old, fresh]) => (path.endsWith(".py") || old !== fresh) && old.length < largestSource,
    );
}

/** The folders of both versions of a package. */
export async function foldersOf([name, before, after]: Versions) {
  return [
    await fetchPackage(cache, `${name}@${before}`),
    await fetchPackage(cache, `${name}@${after}`),
  ] as const;
}

/** All readable sources of a version, by path. */
export async function sourcesOf(id: string): Promise<Readonly<Record<string, string>>> {
  const folder = await fetchPackage(cache, id);
  const texts = sourcesIn(folder, isOfScripts).map(
    (path) => [path, readFileSync(join(folder, path), "utf8")] as const,
  );
  return Object.fromEntries(texts.filter(([, text]) => text.length < largestSource));
}

function sourcesIn(folder: string, isSource: (path: string) => boolean): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(isSource)
    .filter((path) => !/\.d\.ts$|\.min\.|bundle|(^|\/)(dist|types|node_modules)\//.test(path))
    .sort();
}

function isOfScripts(path: string): boolean {
  return /\.(js|mjs|cjs|ts|py)$/.test(path);
}
