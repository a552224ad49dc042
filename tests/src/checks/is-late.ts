import type { CheckReport } from "@idewire/devtools/checks";

/** The expected failures, and the check after which nothing is answered. */
export interface Expected {
  readonly broken: readonly string[];
  readonly silentSince?: string | undefined;
}

const TIMED_OUT =
  /\b(?:come|came|over|closed|finish) within \d+ ms|\bit took \d+ ms|\bno time left\b|\bchecks were used up\b/;

/** Whether a time limit caused a verdict instead of the editor's behaviour. */
export function isLate({ results, silentSince }: CheckReport, expected: Expected): boolean {
  if (silentSince !== undefined && silentSince !== expected.silentSince) return true;
  return results.some(
    ({ id, verdict, detail }) =>
      verdict !== "pass" &&
      !(verdict === "fail" && expected.broken.includes(id)) &&
      TIMED_OUT.test(detail),
  );
}
