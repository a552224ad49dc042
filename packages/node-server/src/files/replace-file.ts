import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { codeOf } from "../process/error-code.ts";

/** The replacement of a file, and its options. */
export interface FileReplacement {
  readonly text: string;
  /** Where the text is until it is complete: a new file, on the disk of the one that it replaces. */
  readonly draft: string;
  /** Called when the text is written, before the file has its name. */
  readonly finish?: (file: FileHandle) => Promise<void>;
  /** Of the new file, less the system's umask; 0600 by default. */
  readonly mode?: number;
  /** Fails with `EEXIST` instead of replacing a file that is there. */
  readonly onlyIfMissing?: boolean;
}

/**
 * Writes a file whole or not at all: a reader sees either the old text or the new one. Its user
 * alone may read it unless `mode` or `finish` sets otherwise. A link of its name is replaced, not followed.
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

/** A link never replaces a file. Some disks have no links: they get the next best. */
async function linkDraft(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft, { force: true });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    await rename(draft, file);
  }
}
