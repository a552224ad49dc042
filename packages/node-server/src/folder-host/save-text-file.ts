import { randomBytes } from "node:crypto";
import { chmod, chown, open, rename, rm, stat } from "node:fs/promises";
import type { PosixPath, SaveOutcome } from "@idewire/core";
import { codeOf, joinPath, parentOf, toNative } from "./native-path.ts";
import { readTextFile } from "./text-file.ts";

export interface TextToSave {
  /** A real path: nothing is followed. */
  readonly path: PosixPath;
  readonly text: string;
  /** What was in the file when it was read; anything else there now is not overwritten. */
  readonly expected: string;
  readonly bom: boolean;
}

/** Replaces a file's text in one step: whoever reads it sees the old or the new one, whole. */
export async function saveTextFile(file: TextToSave): Promise<SaveOutcome> {
  const { path, text, expected, bom } = file;
  if (/\p{Surrogate}/u.test(text)) {
    return notSaved(`the text has half a character (a lone surrogate), which UTF-8 cannot hold`);
  }
  const now = await readTextFile(path);
  if (now.kind === "missing") return notSaved(`${path} has been deleted since it was opened`);
  if (now.kind === "refused") return notSaved(`${path} ${now.why}`);
  if (now.text !== expected) return notSaved(`${path} has changed on disk since it was read`);
  if ((now.stats.mode & 0o222) === 0) return notSaved(`${path} is read-only`);
  try {
    await replace(path, bom ? `\uFEFF${text}` : text);
    return { saved: true };
  } catch (error) {
    return notSaved(`${path} cannot be written (${codeOf(error)})`);
  }
}

/** Keeps the mode, and the owner where the system lets us. */
async function replace(path: PosixPath, text: string): Promise<void> {
  const native = toNative(path);
  const name = `.idewire-${randomBytes(6).toString("hex")}.tmp`;
  const temporary = toNative(joinPath(parentOf(path), name));
  const { mode, uid, gid } = await stat(native);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chown(temporary, uid, gid).catch(() => undefined);
    await chmod(temporary, mode & 0o7777);
    await rename(temporary, native);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function notSaved(message: string): SaveOutcome {
  return { saved: false, message };
}
