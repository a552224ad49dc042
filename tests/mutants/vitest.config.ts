import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The copy of the tree with the mutants.
const root = fileURLToPath(new URL("../../", import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // The packages' own links point outside the copy.
    alias: [
      { find: /^@idewire\/([^/]+)$/, replacement: `${root}packages/$1/src/index.ts` },
      { find: /^@idewire\/([^/]+)\/(.+)$/, replacement: `${root}packages/$1/src/$2/index.ts` },
    ],
  },
  ssr: { resolve: { conditions: ["@idewire/source", "module", "node", "development|production"] } },
  test: {
    include: [
      "packages/core/src/**/*.test.ts",
      "tests/{contract,conversations,requirements,src}/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
  },
});
