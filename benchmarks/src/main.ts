import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./checkout.ts";
import { measureRow } from "./measure.ts";
import { tableHead, tableLine, writeResults } from "./report.ts";
import type { Result, Row, Settings } from "./row.ts";
import { rows, soakRows } from "./rows.ts";

const full: Settings = {
  rounds: 51,
  sampleMs: 20,
  warmUpMs: 800,
  repeats: 3,
  contestants: ["floor", "idewire", "sdk-v1", "sdk-v2"],
};

/** Without the official SDKs, whose figures have no budget. */
const quick: Settings = {
  rounds: 31,
  sampleMs: 20,
  warmUpMs: 500,
  repeats: 1,
  contestants: ["floor", "idewire"],
};

const results = join(root, "benchmarks/results/");

const usage = `usage: pnpm bench [--quick] [--soak] [--cpu-prof] [--against <checkout>] [row or group …]
rows: ${rows.map(({ id }) => id).join(" ")} ${soakRows.map(({ id }) => id).join(" ")}`;

/** Runs the benchmarks named by the arguments; resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = {
    quick: { type: "boolean", default: false },
    soak: { type: "boolean", default: false },
    "cpu-prof": { type: "boolean", default: false },
    against: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const chosen = choose(positionals, values.soak);
  if (chosen === undefined) {
    console.error(usage);
    return 2;
  }
  const settings = values.quick ? quick : full;
  const profiled = values["cpu-prof"] ? { profileFolder: `${results}profiles` } : {};
  return run(chosen, { ...settings, ...profiled, ...compared(values.against, settings) });
}

/** Also measures another checkout of the project. */
function compared(folder: string | undefined, { contestants }: Settings): Partial<Settings> {
  if (folder === undefined) return {};
  return { against: resolve(folder), contestants: [...contestants, "before"] };
}

async function run(chosen: readonly Row[], settings: Settings): Promise<number> {
  console.log(tableHead(settings));
  const measured: Result[] = [];
  const broken: string[] = [];
  for (const row of chosen) {
    try {
      const result = await measureRow(row, settings);
      measured.push(result);
      console.log(tableLine(result, settings));
      if (row.mustHold && result.verdict !== "ok") broken.push(row.id);
    } catch (error) {
      console.log(`${row.id} could not be measured: ${(error as Error).message}`);
      broken.push(row.id);
    }
    writeResults(`${results}latest.json`, measured);
  }
  if (broken.length > 0) console.log(`\nnot within budget: ${broken.join(", ")}`);
  return broken.length > 0 ? 1 : 0;
}

/** The rows with a name as id or prefix of it; undefined for an unknown name. */
function choose(names: readonly string[], withSoak: boolean): readonly Row[] | undefined {
  const all = [...rows, ...soakRows];
  const isNamed = (row: Row, name: string) => row.id === name || row.id.startsWith(`${name}-`);
  if (names.some((name) => !all.some((row) => isNamed(row, name)))) return undefined;
  if (names.length === 0) return withSoak ? all : rows;
  return all.filter(
    (row) => names.some((name) => isNamed(row, name)) || (withSoak && soakRows.includes(row)),
  );
}
