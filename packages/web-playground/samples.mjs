import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sample = fileURLToPath(new URL("sample", import.meta.url));
const tours = fileURLToPath(new URL("tours", import.meta.url));

/**
 * `virtual:sample` and `virtual:tours`: the files of the sample workspace, and the tours by their ids;
 * `virtual:version`: the version of this package.
 */
export function samples() {
  const modules = {
    "virtual:sample": readSample,
    "virtual:tours": readTours,
    "virtual:version": readVersion,
  };
  return {
    name: "samples",
    resolveId: (source) => (Object.hasOwn(modules, source) ? `\0${source}` : null),
    load: (id) => modules[id.slice(1)]?.() ?? null,
  };
}

function readVersion() {
  const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  return `export const version = ${JSON.stringify(version)};`;
}

function readSample() {
  const files = Object.fromEntries(
    readdirSync(sample, { recursive: true })
      .filter((path) => /\.(md|ts)$/.test(path))
      .sort()
      .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(sample, path), "utf8")]),
  );
  return `export const files = ${JSON.stringify(files)};`;
}

function readTours() {
  const all = readdirSync(tours).map((name) => [
    name.replace(".jsonl", ""),
    readFileSync(join(tours, name), "utf8"),
  ]);
  return `export const tours = ${JSON.stringify(Object.fromEntries(all))};`;
}
