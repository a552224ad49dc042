import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs git, and resolves with what it prints; rejects when it fails or cannot be started. */
export type Git = (...words: readonly string[]) => Promise<string>;

/** Git must not write, fetch or prompt, so that it starts no hook, transport or credential helper. */
const environment = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  // Before Git 2.44, a partial clone fetches missing objects nevertheless.
  GIT_ALLOW_PROTOCOL: "none",
  IDEWIRE_EMPTY: "",
};

const withoutPrograms = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
];

/**
 * The only way in which idewire runs git. The configuration of an untrusted folder can name programs; none of
 * them is started: hooks, filters, fsmonitor, external diffs, textconv, those of submodules.
 */
export function openGit(folder: string): Git {
  const run = async (words: readonly string[]) => {
    const env = { ...process.env, ...environment };
    const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, env };
    return (await promisify(execFile)("git", [...withoutPrograms, ...words], options)).stdout;
  };
  let filters: Promise<readonly string[]> | undefined;
  return async (command, ...words) => {
    filters ??= findFilters(run);
    return run([
      ...(await filters),
      command ?? "",
      ...(safeOptions[command ?? ""] ?? []),
      ...words,
    ]);
  };
}

/** `git diff` starts `git status` in submodules, with their own configuration. */
const safeOptions: Readonly<Record<string, readonly string[]>> = {
  diff: ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
};

/** Options that empty every setting of a filter: git can disable filters by name only. */
async function findFilters(
  run: (words: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
  const listed = run(["config", "-z", "--name-only", "--get-regexp", "^filter\\."]);
  const names = await listed.catch((error: { readonly code?: unknown }) => {
    if (error.code === 1) return "";
    throw error;
  });
  // Unlike -c, it accepts names with an equals sign.
  const settings = new Set(names.split("\0").filter((name) => name !== ""));
  return [...settings].map((name) => `--config-env=${name}=IDEWIRE_EMPTY`);
}
