import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

export const root: string = join(import.meta.dirname, "../..");

export interface Entry {
  /** The key in package.json's exports. */
  readonly key: string;
  readonly source: string;
  readonly built: string;
}

export interface Package {
  readonly folder: string;
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** The report of `npm pack` on a package. */
export interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly name: string;
  readonly exports: Record<string, { "@idewire/source": string; default: string }>;
}

/** The packages that are published, built: these tests are about the shipped artefact. */
export const packages: readonly Package[] = [
  "core",
  "devtools",
  "paired-comments",
  "node-server",
  "http",
  "codemirror",
  "cli",
].map(readPackage);

export function packageNamed(folderName: string): Package {
  const found = packages.find(({ folder }) => basename(folder) === folderName);
  if (found === undefined) throw new Error(`no package in packages/${folderName}`);
  return found;
}

/** Packs all of them into a folder, as a release does. */
export async function pack(destination: string): Promise<readonly Packed[]> {
  const script = join(root, "scripts/pack.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, destination]);
  return JSON.parse(stdout) as readonly Packed[];
}

function readPackage(folderName: string): Package {
  const folder = join(root, "packages", folderName);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const entries = Object.entries(manifest.exports).map(([key, conditions]) => ({
    key,
    source: join(folder, conditions["@idewire/source"]),
    built: join(folder, conditions.default),
  }));
  const missing = entries.find(({ built }) => !existsSync(built));
  if (missing !== undefined) {
    throw new Error(`${missing.built} does not exist: run \`npm test\`, which builds first`);
  }
  return { folder, name: manifest.name, entries };
}
