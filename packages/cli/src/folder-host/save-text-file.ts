import { baseName, type PosixPath, type SaveOutcome } from "@idewire/core";
import { describePath } from "@idewire/core/internal/base";
import { ToolFailure } from "@idewire/core/rpc";
import { codeOf } from "@idewire/node-server/internal";
import type { FileFacts, WorkspacePaths } from "@idewire/node-server/internal/files";
import {
  draftName,
  isSamePath,
  nameOf,
  openReal,
  parentOf,
  replaceFile,
} from "@idewire/node-server/internal/files";

export interface TextToSave {
  /** A real path: links are not followed. */
  readonly path: PosixPath;
  readonly text: string;
  /** The file's text when it was read; a file that has changed since is not overwritten. */
  readonly expected: string;
  readonly bom: boolean;
}

/** Replaces a file's text atomically: a reader sees either the old text or the new one. */
export async function saveTextFile(file: TextToSave, paths: WorkspacePaths): Promise<SaveOutcome> {
  const { path, text, expected, bom } = file;
  if (/\p{Surrogate}/u.test(text)) {
    return notSaved(`the text has a lone surrogate, which UTF-8 cannot represent`);
  }
  try {
    const { real, file: now } = await paths.readInside(path);
    if (!isSamePath(real, path)) return notSaved(`a link now leads ${path} to another file`);
    if (now.kind === "missing") return notSaved(`${path} has been deleted since it was opened`);
    if (now.kind === "refused") return notSaved(`${describePath(path)} ${now.why}`);
    if (now.text !== expected) return notSaved(`${path} has changed on disk since it was read`);
    if ((now.stats.mode & 0o222) === 0) return notSaved(`${describePath(path)} is read-only`);
    return await replace(path, withBom({ text, bom }), now.stats);
  } catch (error) {
    if (error instanceof ToolFailure) return notSaved(error.message);
    return notSaved(`${describePath(path)} cannot be written (${codeOf(error)})`);
  }
}

/** Creates a file again that has been deleted; an existing one is not replaced. */
export async function createTextFile(path: PosixPath, text: string): Promise<SaveOutcome> {
  const folder = parentOf(path);
  try {
    const { handle, real } = await openReal(folder);
    try {
      if (!isSamePath(real, folder)) return notSaved(`a link now leads ${folder} elsewhere`);
      const here = await nameOf(handle, folder);
      const draft = `${here}/.${draftName()}`;
      const mode = 0o666;
      await replaceFile(`${here}/${baseName(path)}`, { text, draft, mode, onlyIfMissing: true });
      return { saved: true };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return notSaved(`${describePath(path)} cannot be written (${codeOf(error)})`);
  }
}

/** Preserves the mode, and the owner if the system permits it. */
async function replace(path: PosixPath, text: string, facts: FileFacts): Promise<SaveOutcome> {
  const folder = parentOf(path);
  const { handle, real } = await openReal(folder);
  try {
    if (!isSamePath(real, folder)) return notSaved(`a link now leads ${folder} elsewhere`);
    const here = await nameOf(handle, folder);
    await replaceFile(`${here}/${baseName(path)}`, {
      text,
      draft: `${here}/.${draftName()}`,
      async finish(file) {
        await file.chown(facts.uid, facts.gid).catch(() => undefined);
        await file.chmod(facts.mode & 0o7777);
        await file.sync();
      },
    });
    return { saved: true };
  } finally {
    await handle.close();
  }
}

function notSaved(message: string): SaveOutcome {
  return { saved: false, message };
}

/** A text as its file has it: with its byte order mark. */
export function withBom({ text, bom }: { readonly text: string; readonly bom: boolean }): string {
  return bom ? `\uFEFF${text}` : text;
}

/** A text without a byte order mark. */
export function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
