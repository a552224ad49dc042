import { IdewireError } from "@idewire/core/rpc";
import { type Git, openGit } from "@idewire/node-server/internal/files";
import { commentsSuffix, type EarlierFile } from "@idewire/paired-comments/internal";
import { invalid } from "./action.ts";

/** A commit of the folder's repository. */
export interface GitHistory {
  /** The changed sources, each with its path at that commit. Paths are relative to the folder. */
  readonly changed: ReadonlyMap<string, string>;
  /** A source and its comments at that commit; undefined if either was missing. */
  read(path: string): Promise<EarlierFile | undefined>;
}

const nothing: GitHistory = { changed: new Map(), read: async () => undefined };

/**
 * Before the first commit of a repository, HEAD is an empty commit.
 * @throws IdewireError `invalid-argument` for an unknown commit, and for a folder without git
 */
export async function openGitHistory(folder: string, ref: string): Promise<GitHistory> {
  const git = openGit(folder);
  const commit = await commitOf(ref, git).catch((error: { readonly stderr?: string }) => {
    if (error instanceof IdewireError) throw error;
    const reason = error.stderr?.trim() ?? "git could not be started";
    throw invalid(
      `--since ${ref}: expected a commit of the repository around ${folder}: ${reason}`,
    );
  });
  if (commit === undefined) return nothing;
  const show = (path: string) =>
    git("cat-file", "blob", `${commit}:./${path}`).catch(() => undefined);
  const options = ["--name-status", "--find-renames", "--relative", "-z"];
  const status = await git("diff", ...options, commit, "--");
  return {
    changed: parseStatus(status),
    async read(path) {
      const [source, comments] = [await show(path), await show(path + commentsSuffix)];
      return source === undefined || comments === undefined ? undefined : { source, comments };
    },
  };
}

/** Of all questions about renames: in a long history each may take seconds. */
const RENAMES_MS = 5_000;

/**
 * Finds the new paths of renamed sources, by git's own comparison with the last commit that had them; undefined
 * without git, and if git finds none. Paths are relative to the folder.
 */
export function openRenames(folder: string): (path: string) => Promise<string | undefined> {
  let leftMs = RENAMES_MS;
  return async (path) => {
    if (leftMs <= 0) return undefined;
    const started = performance.now();
    try {
      return await renamedIn(openGit(folder, { timeoutMs: Math.ceil(leftMs) }), path);
    } catch {
      return undefined;
    } finally {
      leftMs -= performance.now() - started;
    }
  };
}

async function renamedIn(git: Git, path: string): Promise<string | undefined> {
  const words = ["-1", "--format=%H", "--no-renames", "--diff-filter=D", "--"];
  const removal = (await git("log", ...words, `:(literal)${path}`)).trim();
  const before = removal === "" ? "HEAD" : `${removal}^`;
  const options = ["--name-status", "--find-renames=60%", "--diff-filter=R", "--relative", "-z"];
  const status = await git("diff", ...options, before, "--");
  return [...parseStatus(status)].find(([, old]) => old === path)?.[0];
}

/** Undefined for HEAD if its branch has no commit yet. */
async function commitOf(ref: string, git: Git): Promise<string | undefined> {
  try {
    return (await git("rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`)).trim();
  } catch (error) {
    const isHead = ref === "HEAD" || ref === "@";
    const hasBranch =
      isHead && (await git("symbolic-ref", "--quiet", "HEAD").catch(() => "")) !== "";
    if (hasBranch) return undefined;
    throw error;
  }
}

/** `M`, path; or `R90`, old path, new path; each followed by NUL. */
function parseStatus(text: string): ReadonlyMap<string, string> {
  const words = text.split("\0");
  const changed = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; ) {
    const isRenamed = /^[RC]/.test(words[at] ?? "");
    const before = words[at + 1] ?? "";
    changed.set(isRenamed ? (words[at + 2] ?? "") : before, before);
    at += isRenamed ? 3 : 2;
  }
  return changed;
}
