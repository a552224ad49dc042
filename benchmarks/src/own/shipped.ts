import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Figures } from "../row.ts";

// The benchmarks run from their dist.
const packages = fileURLToPath(new URL("../../packages", import.meta.url));
const page = join(packages, "web-playground/dist");

/** What Obsidian loads: the size of the built plugin, in kB (1,000 bytes), minified. */
export async function pluginSize(): Promise<Figures> {
  return { idewire: [readFileSync(join(packages, "obsidian-plugin/dist/main.js")).length / 1000] };
}

/** What a browser loads before it shows the playground: its scripts, in kB, gzip. */
export async function firstViewSize(): Promise<Figures> {
  const html = readFileSync(join(page, "index.html"), "utf8");
  const loaded = new Set(namesIn(html, /assets\/([\w-]+\.js)/g));
  for (const name of loaded) {
    for (const other of namesIn(script(name), /(?:from|import)"\.\/([\w-]+\.js)"/g)) {
      loaded.add(other);
    }
  }
  return { idewire: [kilobytes([...loaded])] };
}

/** All scripts of the playground but grammars, as its build lists them for its worker, in kB, gzip. */
export async function pageSize(): Promise<Figures> {
  const worker = readFileSync(join(page, "service-worker.js"), "utf8");
  return { idewire: [kilobytes(namesIn(worker, /"assets\/(?!grammars-)([\w-]+\.js)"/g))] };
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

function script(name: string): string {
  return readFileSync(join(page, "assets", name), "utf8");
}

function kilobytes(names: readonly string[]): number {
  const sizes = names.map((name) => gzipSync(script(name), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}
