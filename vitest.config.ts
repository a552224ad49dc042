import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";

// Tests run from source: the private condition leads every `@idewire/*` import to src.
const conditions = ["@idewire/source", "module", "node", "development|production"];

// `--mode slow` runs the soaks and the like, and nothing else.
export default defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions } },
  test: {
    // Much of what the tests do is wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    passWithNoTests: mode === "slow",
    include: [mode === "slow" ? "**/*.slow.test.ts" : "**/!(*.slow).test.ts"],
    projects: [
      project("core", "packages/core/src"),
      project("node-server", "packages/node-server/src"),
      project("tests", "tests", ["packaging/**"]),
      project("packaging", "tests/packaging"),
    ],
  },
}));

function project(name: string, root: string, exclude: string[] = []): TestProjectConfiguration {
  return {
    extends: true,
    test: { name, root, exclude: ["**/node_modules/**", "**/.extracted/**", ...exclude] },
  };
}
