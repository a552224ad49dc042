import type { Miss } from "./evaluate.ts";

const linesAround = 2;

/** Prints a miss: the old place, the found place and the right one. */
export function printMiss({ class: name, before, after, wanted, found }: Miss): void {
  const { line, endLine, expected } = wanted;
  console.log(`\n--- ${name} ${before.path}`);
  console.log(`was ${line}-${endLine}\n${excerpt(before.lines, line, endLine)}`);
  const right = expected && `${expected.line}-${expected.endLine}`;
  console.log(`right ${right ?? "orphan"}`);
  if (expected) console.log(excerpt(after.lines, expected.line, expected.endLine));
  const guess = found?.isGuess ? " as a guess" : "";
  console.log(`found ${found === undefined ? "orphan" : `${found.line}-${found.endLine}`}${guess}`);
  if (found) console.log(excerpt(after.lines, found.line, found.endLine ?? found.line));
}

/** The lines around the first and the last line. */
function excerpt(lines: readonly string[], first: number, last: number): string {
  const near = (at: number, index: number) => Math.abs(index + 1 - at) <= linesAround;
  return lines
    .map((text, index) => ({ text, index }))
    .filter(({ index }) => near(first, index) || near(last, index))
    .map(({ text, index }) => {
      const isMeant = index + 1 === first || index + 1 === last;
      return `  ${isMeant ? ">" : " "}${index + 1} ${text.slice(0, 120)}`;
    })
    .join("\n");
}
