// A plugin of StrykerJS: a checker that accepts only the mutants of the sample, and a reporter for them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";

const size = 200;
const wantedShare = 0.85;
const seed = process.env.IDEWIRE_SEED ?? "1";
/** Stryker's "RuntimeError" is an error that no test caught: it fails a run of vitest, too. */
const killing = ["Killed", "Timeout", "RuntimeError"];

/**
 * Shuffles the mutants in an order that depends only on the seed. A mutant is identified by its replacement and the
 * name of its file, so that moving files or lines does not change the sample.
 */
function shuffle(mutants) {
  const seen = new Map();
  const rank = ({ fileName, location, replacement }) => {
    const change = [basename(fileName), textAt(fileName, location), replacement].join("\0");
    const count = (seen.get(change) ?? 0) + 1;
    seen.set(change, count);
    return createHash("sha256").update([seed, change, count].join("\0")).digest("hex");
  };
  const ranked = mutants.map((mutant) => ({ id: mutant.id, rank: rank(mutant) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ id }) => id);
}

/** The text between two positions of a file, whose lines and columns count from 0. */
function textAt(fileName, { start, end }) {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line, end.line + 1);
  lines.push(lines.pop()?.slice(0, end.column));
  return [lines.shift()?.slice(start.column), ...lines].join("\n");
}

class Sample {
  #drawn = new Set();

  async init() {}

  /** Stryker passes all mutants at once. */
  async group(mutants) {
    this.#drawn = new Set(shuffle(mutants).slice(0, size));
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#verdict(id)]));
  }

  #verdict(id) {
    if (this.#drawn.has(id)) return { status: "passed" };
    return { status: "compileError", reason: "not in the sample" };
  }
}

/**
 * Prints each mutant of the sample for which no test fails, and at the end the share of detected ones. A reporter
 * receives lines and columns counted from 1.
 */
class Survivors {
  #killed = 0;
  #alive = 0;

  onMutantTested(mutant) {
    if (mutant.status === "CompileError") return;
    if (killing.includes(mutant.status)) this.#killed += 1;
    else this.#alive += 1;
    if (mutant.status !== "Killed") console.log(describe(mutant));
  }

  wrapUp() {
    const drawn = this.#killed + this.#alive;
    const percent = ((100 * this.#killed) / drawn).toFixed(1);
    console.log(`mutants: ${this.#killed} of ${drawn} killed, ${percent} % (seed ${seed})`);
    if (this.#killed < wantedShare * drawn) process.exitCode = 1;
  }
}

function describe({ status, fileName, location, replacement, coveredBy, ...more }) {
  const [start, end] = [location.start, location.end].map(({ line, column }) => ({
    line: line - 1,
    column: column - 1,
  }));
  const place = `${relative(process.cwd(), fileName)}:${location.start.line}`;
  const reach = more.static ? "runs on import" : `reached by ${coveredBy?.length} tests`;
  const original = textAt(fileName, { start, end });
  return `${status} ${place}, ${reach}\n- ${original}\n+ ${replacement}\n`;
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, "sample", Sample),
  declareClassPlugin(PluginKind.Reporter, "sample", Survivors),
];
