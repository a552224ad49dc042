import { availableParallelism, devNull } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests run from source: the private condition leads every `@idewire/*` import to src.
const conditions = ["@idewire/source", "module", "node", "development|production"];

/**
 * The folders of `tests` that measure and fuzz, try foreign software, or play sessions over sockets. They are one
 * project, as each of its own would load most of what the others load.
 */
const protocols = [
  ...["checks", "contract", "diagnostics-providers", "http-client"],
  ...["properties", "reference-clients"],
];

/**
 * The projects that take long, or need what is built, a browser, or packages that no other test needs:
 * `npm test` runs their smoke tests alone.
 */
const heavy = [
  ...["conformance", "e2e", "neovim", "emacs", "instances", "interop", "load", "packaging"],
  ...["plugin", "playground", "protocols"],
];

/** The files of a project that a mode of vitest runs; the other modes are those of the scripts. */
function filesOf(mode: string, name: string): string {
  const isHeavy = heavy.includes(name);
  // Its tests take more floods then.
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
      // What a broken-off run has left of the code of a page is no test of ours.
      exclude: ["**/node_modules/**", "**/.extracted/**", ...exclude],
      // A limit for what hangs, not for what is slow: a loaded machine must not fail a test. It is
      // far above what one wait may take, of which a test may have several.
      testTimeout: 400_000,
      // Tests that run at once wait for most of their time.
      maxConcurrency: 40,
      hookTimeout: 400_000,
      // A test without an expectation fails, but for the page's: what they wait for, Playwright expects.
      expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: name !== "playground" },
    },
  });
  /** Only some folders of its root. */
  const joined = ({ extends: base, test }: ReturnType<typeof project>, folders: string[]) => {
    const include = folders.flatMap((folder) => test.include.map((files) => `${folder}/${files}`));
    return { extends: base, test: { ...test, include } };
  };
  /** The laws of every editor for one of them, and its own. */
  const editorProject = (name: string) => {
    const { extends: base, test } = joined(project(name, "editors"), ["test", name]);
    return { extends: base, test: { ...test, env: { IDEWIRE_EDITOR: name } } };
  };
  /** What its setup makes once serves all files of a project. */
  const withSetup = ({ extends: base, test }: ReturnType<typeof project>, folder: string) => {
    const setup = fileURLToPath(new URL(`${folder}/global-setup.ts`, import.meta.url));
    return { extends: base, test: { ...test, globalSetup: [setup] } };
  };
  /** What leaves no processor idle runs after all others, whose limits of time it would break. */
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
        // Slow runs look where no run has looked yet.
        ...(mode === "slow" && { IDEWIRE_SEED: process.env["IDEWIRE_SEED"] ?? newSeed() }),
      },
      // Much of what the tests do is wait: two for two cores leave half of these idle. More than three are no
      // faster where they compute, as each loads the modules for itself; where they wait, five broke limits of time.
      maxWorkers: availableParallelism() + 1,
      projects: [
        // Their files leave nothing behind: to load the modules once costs a third.
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
        // What is built, in one Chromium.
        withSetup(project("plugin", "tests/plugin", [], false), "tests/obsidian-host"),
        withSetup(project("playground", "tests/playground", [], false), "tests/playground"),
      ],
    },
  };
});

function newSeed(): string {
  return String(Date.now() % 2 ** 31);
}
