/** What `npm run mutants` does: see README.md. */
export default {
  mutate: ["packages/core/src/{rpc,mcp,ide}/**/*.ts", "!**/*.test.ts"],
  plugins: ["@stryker-mutator/vitest-runner", import.meta.resolve("./sample.mjs")],
  checkers: ["sample"],
  reporters: ["sample"],
  testRunner: "vitest",
  // What reaches a place is found by running: a file's importers are far more.
  vitest: { configFile: "tests/mutants/vitest.config.ts", related: false },
  dryRunTimeoutMinutes: 15,
  warnings: { slow: false },
  concurrency: 1,
  tempDirName: ".mutants",
};
