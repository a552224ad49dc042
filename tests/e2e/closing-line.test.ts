import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";

const script = fileURLToPath(new URL("../../scripts/closing-line.mjs", import.meta.url));

/** The statuses of the tests in each file of a run; a file without tests has failed to load. */
type Run = readonly (readonly ("passed" | "failed")[])[];

function report(run: Run): string {
  const all = run.flat();
  return JSON.stringify({
    numPassedTests: all.filter((status) => status === "passed").length,
    numFailedTests: all.filter((status) => status === "failed").length,
    testResults: run.map((tests) => ({
      status:
        tests.length > 0 && tests.every((status) => status === "passed") ? "passed" : "failed",
      assertionResults: tests.map((status) => ({ status })),
    })),
  });
}

/** The closing line for a lint and two runs of tests, given by their exit codes. */
function close(codes: readonly [number, number, number], runs: readonly (string | undefined)[]) {
  const folder = temporaryFolder("idewire-closing-");
  const files = runs.map((text, index) => {
    const file = join(folder, `${index}.json`);
    if (text !== undefined) writeFileSync(file, text);
    return `${file}=${codes[index + 1]}`;
  });
  const args = [script, `lint=${codes[0]}`, ...files];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return [stdout, status];
}

const good = report([["passed", "passed"], ["passed"]]);

test.each<[string, [number, number, number], (string | undefined)[], string, number]>([
  ["all is well", [0, 0, 0], [good, good], "6 passed, 0 failed", 0],
  ["a test fails", [0, 0, 1], [good, report([["passed", "failed"]])], "4 passed, 1 failed", 1],
  ["a file does not load", [0, 1, 0], [report([["passed"], []]), good], "4 passed, 1 failed", 1],
  ["lint fails", [2, 0, 0], [good, good], "6 passed, 1 failed", 1],
  ["a run fails without a test", [0, 1, 0], [good, good], "6 passed, 1 failed", 1],
  ["a run leaves no report", [0, 0, 1], [good, undefined], "3 passed, 1 failed", 1],
  ["a run leaves half a report", [0, 0, 137], [good, good.slice(9)], "3 passed, 1 failed", 1],
  ["everything fails", [1, 1, 1], [report([["failed"]]), undefined], "0 passed, 3 failed", 1],
])("the closing line when %s", (_, codes, runs, line, status) => {
  expect(close(codes, runs)).toEqual([`${line}\n`, status]);
});
