import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import type { Result, Row, Settings } from "./row.ts";
import type { Summary } from "./statistics.ts";

const FIRST_WIDTH = 30;
const WIDTH = 9;

export function tableHead({ against }: Settings): string {
  const compared = against === undefined ? [] : ["before", "change"];
  const names = ["row", "floor", "idewire", "IQR", ...compared, "sdk-v1", "sdk-v2", "budget"];
  return `${line(names)}\n${"-".repeat(line(names).length + 6)}`;
}

/** A line: medians in the row's unit and, for a ratio, the floor's CPU time per operation. */
export function tableLine(result: Result, { against }: Settings): string {
  const { row, figures, change, floorMicros, verdict } = result;
  const floor = floorMicros === undefined ? format(figures.floor) : duration(floorMicros.median);
  const budget = `${row.budget.atLeast === true ? ">=" : "<="} ${row.budget.limit}`;
  const cells = [
    `${row.id.padEnd(18)} ${row.unit === "ratio" ? "x" : row.unit}`,
    floor,
    format(figures.idewire),
    figures.idewire === undefined ? "" : short(figures.idewire.iqr),
    ...(against === undefined ? [] : [format(figures.before), format(change)]),
    format(figures["sdk-v1"]),
    format(figures["sdk-v2"]),
    budget,
  ];
  return `${line(cells)}  ${verdict}${verdict === "OVER" && !row.mustHold ? " (goal)" : ""}`;
}

/** Writes the measurements for programs. */
export function writeResults(file: string, results: readonly Result[]): void {
  const machine = { node: process.version, cpus: availableParallelism() };
  const text = JSON.stringify({ machine, rows: results.map(toRecord) }, undefined, 2);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

function toRecord({ row, figures, change, floorMicros, verdict }: Result): Record<string, unknown> {
  const { id, title, unit, budget, mustHold }: Row = row;
  const rounded = Object.entries(figures).map(([name, summary]) => [name, round(summary)]);
  return {
    id,
    title,
    unit,
    budget,
    mustHold,
    verdict,
    figures: Object.fromEntries(rounded),
    ...(change !== undefined && { change: round(change) }),
    ...(floorMicros !== undefined && { floorMicros: round(floorMicros) }),
  };
}

function round({ median, iqr }: Summary): Summary {
  return { median: Number(median.toPrecision(4)), iqr: Number(iqr.toPrecision(3)) };
}

function line(cells: readonly string[]): string {
  const [first = "", ...others] = cells;
  return [first.padEnd(FIRST_WIDTH), ...others.map((cell) => cell.padStart(WIDTH))].join(" ");
}

function format(summary: Summary | undefined): string {
  return summary === undefined ? "–" : short(summary.median);
}

function short(figure: number): string {
  const digits = Math.abs(figure) < 10 ? 2 : Math.abs(figure) < 100 ? 1 : 0;
  return figure.toFixed(digits);
}

function duration(micros: number): string {
  return micros < 1000 ? `${micros.toFixed(1)} µs` : `${(micros / 1000).toFixed(1)} ms`;
}
