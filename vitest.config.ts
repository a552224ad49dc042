import { defineConfig } from "vitest/config";

const slow = process.env["IDEWIRE_SLOW"] === "1";

function project(name: string, root: string) {
  return {
    extends: true as const,
    test: {
      name,
      root,
      include: [slow ? "**/*.slow.test.ts" : "**/*.test.ts"],
      exclude: ["**/node_modules/**", "**/dist/**", ...(slow ? [] : ["**/*.slow.test.ts"])],
    },
  };
}

// Tests run from source: the private condition leads every `@idewire/*` import to src.
const conditions = ["@idewire/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: "threads",
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      project("core", "packages/core"),
      project("node-server", "packages/node-server"),
      project("tests", "tests"),
    ],
  },
});
