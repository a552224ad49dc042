import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { codeOf } from "../process/error-code.ts";

/** The replacement of a file, and its options. */
export interface FileReplacement {
  readonly text: string;
  /** The path of the draft: a new file, on the same disk as the one that it replaces. */
  readonly draft: string;
  /** Called after the text is written, before the file gets its name. */
  readonly finish?: (file: FileHandle) => Promise<void>;
  /** The mode of the new file, masked by the umask; 0600 by default. */
  readonly mode?: number;
  /** Fails with `EEXIST` in place of replacing an existing file. */
  readonly onlyIfMissing?: boolean;
}

/**
 * Writes a file atomically: a reader sees either the old text or the new one. Only its user may read it unless
 * `mode` or `finish` changes that. A link of its name is replaced, not followed.
 * @throws the system's error; then the draft is removed
 */
export async function replaceFile(
  file: string,
  { text, draft, finish, mode = 0o600, onlyIfMissing = false }: FileReplacement,
): Promise<void> {
  const handle = await open(draft, "wx", mode);
  try {
    try {
      await handle.writeFile(text);
      await finish?.(handle);
    } finally {
      await handle.close();
    }
    if (onlyIfMissing) await linkDraft(draft, file);
    else await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** A hard link never replaces a file. On file systems without hard links, the draft is renamed in its place. */
async function linkDraft(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft, { force: true });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    await rename(draft, file);
  }
}
