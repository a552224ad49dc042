import { readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const exe = process.platform === "win32" ? ".exe" : "";

/** A JavaScript runtime other than a browser. */
export interface Runtime {
  readonly name: string;
  readonly command: string;
  /** Before the path of the script. */
  readonly args: readonly string[];
}

/**
 * This Node, Bun and Deno; on Linux also the first releases of Node 20 and 22 that can `require` ES
 * modules, and the latest Node 24. Other systems have them in the matrix of continuous integration.
 */
export const runtimes: readonly Runtime[] = [
  { name: `Node ${process.versions.node}`, command: process.execPath, args: [] },
  ...["node-20", "node-22", "node-24"].flatMap(nodeOf),
  {
    name: "Bun",
    command: platformBinary("bun", "@oven", `bin/bun${exe}`),
    // Otherwise it would install missing packages.
    args: ["run", "--no-install"],
  },
  { name: "Deno", command: platformBinary("deno", "@deno", `deno${exe}`), args: ["run", "-A"] },
];

/** The program that runs Workers. */
export const workerd: string = platformBinary("workerd", "@cloudflare", `bin/workerd${exe}`);

function nodeOf(alias: string): readonly Runtime[] {
  try {
    const manifest = require.resolve(`${alias}/package.json`);
    const { version } = require(manifest) as { readonly version: string };
    return [{ name: `Node ${version}`, command: join(dirname(manifest), "bin/node"), args: [] }];
  } catch {
    // An optional dependency for one platform.
    return [];
  }
}

/** A program from this platform's package, next to the package that depends on it. */
function platformBinary(name: string, scope: string, path: string): string {
  const siblings = join(realpathSync(join(import.meta.dirname, "node_modules", name)), "..", scope);
  const [folder] = readdirSync(siblings);
  if (folder === undefined) throw new Error(`${name} has no package for this platform`);
  return join(siblings, folder, path);
}
