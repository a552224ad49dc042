/** The configuration of `npm run mutants`: see README.md. */
export default {
  mutate: ["packages/core/src/{rpc,mcp,ide}/**/*.ts", "!**/*.test.ts"],
  plugins: ["@stryker-mutator/vitest-runner", import.meta.resolve("./sample.mjs")],
  checkers: ["sample"],
  reporters: ["sample"],
  testRunner: "vitest",
  // Finds the tests of a mutant by running them: many more tests import its file than reach it.
  vitest: { configFile: "tests/mutants/vitest.config.ts", related: false },
  dryRunTimeoutMinutes: 15,
  warnings: { slow: false },
  concurrency: 1,
  tempDirName: ".mutants",
};
