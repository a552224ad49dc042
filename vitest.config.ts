import { availableParallelism, devNull } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests run from source: the private condition resolves every `@idewire/*` import to src.
const conditions = ["@idewire/source", "module", "node", "development|production"];

/**
 * The folders of `tests` that measure and fuzz, try foreign software, or play sessions over sockets. They are one
 * project: as separate projects, each would load most of the same modules again.
 */
const protocols = [
  ...["checks", "contract", "diagnostics-providers", "http-client"],
  ...["properties", "reference-clients"],
];

/**
 * The projects that take long, or need a build, a browser, or packages that no other test needs:
 * `npm test` runs only their smoke tests.
 */
const heavy = [
  ...["conformance", "e2e", "neovim", "emacs", "instances", "interop", "load", "packaging"],
  ...["plugin", "playground", "protocols"],
];

/** The files of a project that vitest runs in mode `quick`, `rest` or `slow`; in any other, all except slow tests. */
function filesOf(mode: string, name: string): string {
  const isHeavy = heavy.includes(name);
  // In this mode the same tests run with more floods.
  if (mode === "slow" && name === "load") return "**/*.test.ts";
  if (mode === "slow") return "**/*.slow.test.ts";
  if (mode === "quick" && isHeavy) return "**/*.smoke.test.ts";
  if (mode === "quick") return "**/!(*.slow|*.long).test.ts";
  if (mode === "rest") return isHeavy ? "**/!(*.slow|*.smoke).test.ts" : "**/*.long.test.ts";
  return "**/!(*.slow).test.ts";
}

export default defineConfig(({ mode }) => {
  const project = (name: string, root: string, exclude: string[] = [], isolate = true) => ({
    extends: true as const,
    test: {
      name,
      root,
      include: [filesOf(mode, name)],
      isolate,
      // Code of a documentation page left by an aborted run is not one of our tests.
      exclude: ["**/node_modules/**", "**/.extracted/**", ...exclude],
      // Stops tests that hang, not slow ones: a loaded machine must not fail a test. It is far above
      // the limit of one wait, since a test may wait several times.
      testTimeout: 400_000,
      // Concurrent tests spend most of their time waiting.
      maxConcurrency: 40,
      hookTimeout: 400_000,
      // A test without an expectation fails, except those of the page, which wait by Playwright's own assertions.
      expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: name !== "playground" },
    },
  });
  /** Restricts a project to some folders of its root. */
  const joined = ({ extends: base, test }: ReturnType<typeof project>, folders: string[]) => {
    const include = folders.flatMap((folder) => test.include.map((files) => `${folder}/${files}`));
    return { extends: base, test: { ...test, include } };
  };
  /** The tests shared by all editors, run for one of them, and the tests of that editor alone. */
  const editorProject = (name: string) => {
    const { extends: base, test } = joined(project(name, "editors"), ["test", name]);
    return { extends: base, test: { ...test, env: { IDEWIRE_EDITOR: name } } };
  };
  /** Runs a setup once for all files of a project. */
  const withSetup = ({ extends: base, test }: ReturnType<typeof project>, folder: string) => {
    const setup = fileURLToPath(new URL(`${folder}/global-setup.ts`, import.meta.url));
    return { extends: base, test: { ...test, globalSetup: [setup] } };
  };
  /** Runs a project that saturates all processors after all others, which would exceed their time limits. */
  const flooding = ({ extends: base, test }: ReturnType<typeof project>) => ({
    extends: base,
    test: { ...test, maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } },
  });
  return {
    ssr: { resolve: { conditions } },
    test: {
      env: {
        IDEWIRE_MODE: mode,
        // Git without the configuration of the person who runs the tests.
        ...{ GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" },
        // Slow runs try new random cases.
        ...(mode === "slow" && { IDEWIRE_SEED: process.env["IDEWIRE_SEED"] ?? newSeed() }),
      },
      // Tests often wait: two workers leave two cores half idle. More than three are no faster for tests that
      // compute, as each worker loads the modules itself; tests that wait exceeded their time limits with five.
      maxWorkers: availableParallelism() + 1,
      projects: [
        // Their files leave no global state, so they share the loaded modules, which takes a third of the time.
        project("core", "packages/core/src", [], false),
        project("devtools", "packages/devtools/src", [], false),
        project("http", "packages/http/src", [], false),
        project("node-server", "packages/node-server/src", [], false),
        project("cli", "packages/cli/src", [], false),
        project("paired-comments", "packages/paired-comments/src", [], false),
        project("codemirror", "packages/codemirror/src", [], false),
        project("web-playground", "packages/web-playground/src", [], false),
        project("obsidian-plugin", "packages/obsidian-plugin/src", [], false),
        project(
          "tests",
          "tests",
          [...heavy, ...protocols].map((folder) => `${folder}/**`),
          false,
        ),
        joined(project("protocols", "tests", [], false), protocols),
        flooding(project("load", "tests/load", [], false)),
        project("e2e", "tests/e2e", [], false),
        editorProject("neovim"),
        editorProject("emacs"),
        project("conformance", "tests/conformance"),
        project("instances", "tests/instances"),
        project("interop", "tests/interop", [], false),
        withSetup(project("packaging", "tests/packaging"), "tests/packaging"),
        // These test the built code, in one Chromium.
        withSetup(project("plugin", "tests/plugin", [], false), "tests/obsidian-host"),
        withSetup(project("playground", "tests/playground", [], false), "tests/playground"),
      ],
    },
  };
});

function newSeed(): string {
  return String(Date.now() % 2 ** 31);
}
