import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { IdewireError } from "@idewire/core/rpc";
import type { Environment } from "../files/directories.ts";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Longer than the largest repositories need: git may open a pipe that nobody writes to. */
const TIMEOUT_MS = 60_000;
/**
 * In KiB, without the mapped files of a repository: a configuration may name an endless file, such as `/dev/zero`.
 * Windows has neither such files nor limits.
 */
const MAX_MEMORY_KIB = 1 << 21;

const program: readonly string[] =
  process.platform === "win32"
    ? ["git"]
    : ["sh", "-c", `ulimit -d ${MAX_MEMORY_KIB} 2>/dev/null; exec git "$@"`, "git"];

/** Windows, and a PATH with a dot, seek git where it is started: never in an untrusted folder. */
const programsOwn = dirname(process.execPath);

/** Runs git, and resolves to its output; rejects when it fails or cannot be started. */
export type Git = (...words: readonly string[]) => Promise<string>;

export interface GitOptions {
  readonly timeoutMs?: number;
  /** Where git finds the configuration of the person; that of this process by default. */
  readonly env?: Environment;
}

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
  "-c",
  "log.showSignature=false",
];

/**
 * The only way in which idewire runs git. The configuration of an untrusted folder can name programs; none of
 * them is started: hooks, filters, fsmonitor, external diffs, textconv, verifiers of signatures, those of submodules.
 * What it can name besides costs a bounded amount of memory and time.
 */
export function openGit(
  folder: string,
  { timeoutMs = TIMEOUT_MS, env = process.env }: GitOptions = {},
): Git {
  const run = async (words: readonly string[]) => {
    const options = {
      ...{ cwd: programsOwn, env: { ...env, ...environment } },
      ...{ maxBuffer: MAX_OUTPUT_BYTES, timeout: timeoutMs },
    };
    const [command = "", ...first] = program;
    const running = promisify(execFile)(
      command,
      [...first, "-C", folder, ...withoutPrograms, ...words],
      options,
    );
    return (await running.catch((error: Failure) => fail(error, timeoutMs))).stdout;
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

/** How `execFile` rejects. */
interface Failure extends Error {
  readonly killed?: boolean;
  readonly code?: unknown;
  readonly stderr?: string;
}

/** @throws Error in the words of git, with its code; IdewireError `timeout` */
function fail(error: Failure, timeoutMs: number): never {
  if (error.killed === true) {
    throw new IdewireError("timeout", `git has not ended within ${timeoutMs / 1_000} s`);
  }
  const { code, stderr, message } = error;
  throw Object.assign(new Error(`git: ${stderr?.trim() || message}`), { code, stderr });
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
