import type { CheckReport } from "@idewire/devtools/checks";

/** What is to fail, and the check since which nothing is to be answered. */
export interface Expected {
  readonly broken: readonly string[];
  readonly silentSince?: string | undefined;
}

const TIMED_OUT = /\b(?:come|came|over|closed) within \d+ ms|\bit took \d+ ms|\bno time left\b/;

/** Whether a limit of time has decided what was to be decided by what the editor does. */
export function isLate({ results, silentSince }: CheckReport, expected: Expected): boolean {
  if (silentSince !== undefined && silentSince !== expected.silentSince) return true;
  return results.some(
    ({ id, verdict, detail }) =>
      verdict !== "pass" &&
      !(verdict === "fail" && expected.broken.includes(id)) &&
      TIMED_OUT.test(detail),
  );
}
