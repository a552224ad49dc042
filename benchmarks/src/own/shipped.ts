import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rootOf } from "../checkout.ts";
import type { Figures, Settings } from "../row.ts";

/** The size of the built plugin, in kB (1,000 bytes), minified. */
export function pluginSize(settings: Settings): Promise<Figures> {
  return inEach(settings, (packages) => {
    return readFileSync(join(packages, "obsidian-plugin/dist/main.js")).length / 1000;
  });
}

/** The scripts that a browser loads before it shows the playground, in kB, gzip. */
export function firstViewSize(settings: Settings): Promise<Figures> {
  return inEach(settings, (packages) => {
    const page = join(packages, PAGE);
    const html = readFileSync(join(page, "index.html"), "utf8");
    const loaded = new Set(namesIn(html, /assets\/([\w-]+\.js)/g));
    for (const name of loaded) {
      const script = readFileSync(join(page, "assets", name), "utf8");
      for (const other of namesIn(script, /(?:from|import)"\.\/([\w-]+\.js)"/g)) loaded.add(other);
    }
    return kilobytes(page, [...loaded]);
  });
}

/** All scripts of the playground except grammars, as listed by its build for the worker, in kB, gzip. */
export function pageSize(settings: Settings): Promise<Figures> {
  return inEach(settings, (packages) => {
    const page = join(packages, PAGE);
    const worker = readFileSync(join(page, "service-worker.js"), "utf8");
    return kilobytes(page, namesIn(worker, /"assets\/(?!grammars-)([\w-]+\.js)"/g));
  });
}

const PAGE = "web-playground/dist";

async function inEach(settings: Settings, measure: (packages: string) => number): Promise<Figures> {
  const ours = settings.contestants.filter((name) => name === "idewire" || name === "before");
  const figures = ours.map((name) => [name, [measure(join(rootOf(name, settings), "packages"))]]);
  return Object.fromEntries(figures) as Figures;
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

function kilobytes(page: string, names: readonly string[]): number {
  const scripts = names.map((name) => readFileSync(join(page, "assets", name)));
  const sizes = scripts.map((script) => gzipSync(script, { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}
