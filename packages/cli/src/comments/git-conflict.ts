import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ConflictSides, commentsSuffix } from "@idewire/paired-comments";

const largestOutput = 64 * 1024 * 1024;

/**
 * The versions of a file of comments that git could not merge, each as it was: the file itself has their lines
 * mixed. Undefined outside a repository, and where git has them no more.
 * @param path of the source, relative to the folder
 */
export async function readConflict(
  folder: string,
  path: string,
): Promise<ConflictSides | undefined> {
  const read = async (stage: number) => {
    const words = ["show", `:${stage}:./${path}${commentsSuffix}`];
    const options = { cwd: folder, maxBuffer: largestOutput };
    return promisify(execFile)("git", words, options).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  };
  const [base, ours, theirs] = [await read(1), await read(2), await read(3)];
  return ours === undefined || theirs === undefined ? undefined : { base, ours, theirs };
}
