import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, rootOf } from "../checkout.ts";
import type { Figures, Settings } from "../row.ts";

const run = promisify(execFile);

/** The number of rounds, each with a process per contestant. */
const ROUNDS = 11;

/** The imported package, and its floor. */
const specifiers = {
  core: "@idewire/core",
  "node-server": "@idewire/node-server",
  ws: "ws",
  "sdk-v1": "@modelcontextprotocol/sdk/server/mcp.js",
  "sdk-v2": "@modelcontextprotocol/server",
} as const;

/** The CPU time, in ms, of importing core, beyond that of bare node. */
export async function importCore(settings: Settings): Promise<Figures> {
  const names = settings.contestants;
  const figures = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await cpuOf(undefined);
    for (const name of names) {
      const core = { idewire: specifiers.core, before: specifiers.core };
      const specifier = { floor: undefined, ...core, ...sdkSpecifiers }[name];
      figures.get(name)?.push((await cpuOf(specifier, rootOf(name, settings))) - bare);
    }
  }
  return Object.fromEntries(figures);
}

const sdkSpecifiers = { "sdk-v1": specifiers["sdk-v1"], "sdk-v2": specifiers["sdk-v2"] };

/** The CPU time, in ms, of importing node-server, beyond that of ws, its floor. */
export async function importNodeServer(settings: Settings): Promise<Figures> {
  const floor: number[] = [];
  const idewire: number[] = [];
  const before: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await cpuOf(specifiers.ws);
    idewire.push((await cpuOf(specifiers["node-server"])) - first);
    floor.push((await cpuOf(specifiers.ws)) - first);
    if (settings.against === undefined) continue;
    before.push((await cpuOf(specifiers["node-server"], settings.against)) - first);
  }
  return { floor, idewire, ...(before.length > 0 && { before }) };
}

/** The CPU time of a separate process in milliseconds, from its start to the end of the import. */
async function cpuOf(specifier: string | undefined, checkout = root): Promise<number> {
  const load = specifier === undefined ? "" : `await import(${JSON.stringify(specifier)});`;
  const script = `${load}const { user, system } = process.cpuUsage(); console.log(user + system);`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await run(process.execPath, args, {
    cwd: join(checkout, "benchmarks"),
  });
  return Number(stdout) / 1000;
}
