import { openGit } from "@idewire/node-server/internal/files";
import { type ConflictSides, commentsSuffix } from "@idewire/paired-comments/internal";

/**
 * The versions of a file of comments that git could not merge: the file itself mixes their lines. Undefined
 * outside a repository, and when git no longer has them.
 * @param path of the source, relative to the folder
 */
export async function readConflict(
  folder: string,
  path: string,
): Promise<ConflictSides | undefined> {
  const git = openGit(folder);
  const read = (stage: number) =>
    git("cat-file", "blob", `:${stage}:./${path}${commentsSuffix}`).catch(() => undefined);
  const [base, ours, theirs] = [await read(1), await read(2), await read(3)];
  return ours === undefined || theirs === undefined ? undefined : { base, ours, theirs };
}
