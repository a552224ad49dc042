import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Package, type Packed, packages, root } from "./packages.ts";

const execute = promisify(execFile);

/** Installs into a folder as a person does, without npm's reports. */
export async function npmInstall(folder: string, what: readonly string[]): Promise<void> {
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  await execute("npm", ["install", ...quiet, ...what], {
    cwd: folder,
    shell: process.platform === "win32",
  });
}

/**
 * The arguments of `npm install` for these names: for our packages the tarballs in a folder, for others the
 * versions that the tests pin, or those that our packages accept as peers.
 */
export function installable(
  names: readonly string[],
  packed: readonly Packed[],
  tarballs: string,
): readonly string[] {
  const pinned = readManifest(join(root, "tests")).dependencies;
  const peers = new Map(
    packages.flatMap(({ folder }) => Object.entries(readManifest(folder).peerDependencies)),
  );
  const ours = new Set(names);
  for (const name of ours) {
    const { folder } = packages.find((each) => each.name === name) ?? {};
    if (folder === undefined) continue;
    const { dependencies, peerDependencies } = readManifest(folder);
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (packages.some((each) => each.name === needed)) ours.add(needed);
    }
  }
  return [...ours].map((name) => {
    const found = packed.find((each) => each.name === name);
    return found === undefined
      ? `${name}@${pinned[name] ?? peers.get(name)}`
      : join(tarballs, found.filename);
  });
}

/** The packages that a person installs beside a package for some of its entries. */
export function optionalPeersOf({ folder }: Package): readonly string[] {
  return Object.keys(readManifest(folder).peerDependencies);
}

interface Needs {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Needs {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { dependencies: {}, peerDependencies: {}, ...manifest };
}

/** A TypeScript compiler. */
export interface Compiler {
  readonly bin: string;
  readonly version: string;
}

/** The compiler that a manifest depends on, by that name. */
export function compilerAt(manifest: string, name: string): Compiler {
  const require = createRequire(manifest);
  const found = require.resolve(`${name}/package.json`);
  const { version } = require(found) as { version: string };
  return { bin: join(dirname(found), "bin/tsc"), version };
}

/** Compiles a source in a new folder and returns the compiler's output. */
export async function compile(
  compiler: Compiler,
  folder: string,
  { source, ...options }: { readonly source: string; readonly [option: string]: unknown },
): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "use.ts"), source);
  const always = { strict: true, noEmit: true, target: "es2022", types: [] };
  // Checking the compiler's own declarations is pointless and takes longest.
  const compilerOptions = { ...always, skipDefaultLibCheck: true, ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const { stdout } = await execute(process.execPath, [compiler.bin, "-p", folder]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout.trim();
}
