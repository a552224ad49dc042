// The closing line of `.ci/run`: the sum over all that has run, each given as `what=exit code`, where
// what ends in .json is the report of a run of vitest. Exits 1 when anything has failed.
import { readFileSync } from "node:fs";

const counts = process.argv.slice(2).map((run) => {
  const [, what, code] = /^(.*)=(\d+)$/.exec(run);
  const { passed, failed } = what.endsWith(".json") ? testsOf(what) : { passed: 0, failed: 0 };
  // What has failed without saying where is one failure.
  return { passed, failed: code === "0" ? failed : Math.max(failed, 1) };
});
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;

function testsOf(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that does not load has no test that could fail.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  } catch (error) {
    console.error(`no test has run: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
