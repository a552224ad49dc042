// The closing line of `.ci/run`: the sum over all runs, each passed as `name=exit code`, where a name that ends
// in .json is a report of vitest. Exits with 1 if anything has failed.
import { readFileSync } from "node:fs";

const counts = process.argv.slice(2).map((run) => {
  const [, what, code] = /^(.*)=(\d+)$/.exec(run);
  const { passed, failed } = what.endsWith(".json") ? testsOf(what) : { passed: 0, failed: 0 };
  // A failed run without a report counts as one failure.
  return { passed, failed: code === "0" ? failed : Math.max(failed, 1) };
});
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;

function testsOf(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that does not load has no tests, so it counts as a failure.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  } catch (error) {
    console.error(`no test ran: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
