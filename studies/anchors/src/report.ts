import type { Count, Tally } from "./tally.ts";

/**
 * A table with a line per class and a column per method: per cent on the right line; in brackets, silently wrong. For
 * the first method, also how many on the right line are not guesses.
 */
export function tableOf(tally: Tally, methods: readonly string[]): string {
  const head = ["class", "n", ...methods, "no guess", "both ends"];
  const rows = tally.classes.map((name) => row(name, tally, methods, (each) => each === name));
  const isAlive = (label: string) => (name: string) =>
    name.startsWith(`${label}: `) && !name.includes("deleted");
  const labels = ["version", "version + Prettier"].filter((label) =>
    tally.classes.some(isAlive(label)),
  );
  const sums = labels.map((label) => row(`**${label}, alive**`, tally, methods, isAlive(label)));
  const means = methods.map((method) => meanOf(tally, method));
  const macro = rows.length > 1 ? [["**mean of the classes**", "", ...means, "", ""]] : [];
  const lines = [head, head.map(() => "---"), ...rows, ...sums, ...macro];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function row(
  name: string,
  tally: Tally,
  methods: readonly string[],
  holds: (name: string) => boolean,
): readonly string[] {
  const counts = methods.map((method) => tally.sum(method, holds));
  const [first] = counts;
  const ends =
    first === undefined || first.ranges === 0 ? "" : percent(first.bothEnds, first.ranges);
  const sure = first === undefined ? "" : percent(first.exact - first.guessed, first.all);
  return [name, String(first?.all ?? 0), ...counts.map(cell), sure, ends];
}

function cell({ all, exact, wrong }: Count): string {
  return wrong === 0 ? percent(exact, all) : `${percent(exact, all)} (${percent(wrong, all)})`;
}

function meanOf(tally: Tally, method: string): string {
  const counts = tally.classes.map((name) => tally.of(name, method));
  const mean = (part: (count: Count) => number) =>
    (counts.reduce((sum, count) => sum + part(count) / count.all, 0) / counts.length) * 100;
  return `${mean(({ exact }) => exact).toFixed(1)} (${mean(({ wrong }) => wrong).toFixed(1)})`;
}

/** Two decimals if rounding to one would hide a miss. */
function percent(part: number, all: number): string {
  const value = (100 * part) / all;
  const short = value.toFixed(1);
  return part !== all && short === "100.0"
    ? value.toFixed(2)
    : part > 0 && short === "0.0"
      ? value.toFixed(2)
      : short;
}
