import { commentsSuffix } from "@idewire/paired-comments/internal";
import { type App, Notice, type Plugin, type TAbstractFile, TFile } from "obsidian";
import { texts } from "../texts/index.ts";
import { isNotePath, type VaultComments } from "./vault-comments.ts";

export interface FollowParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly comments: VaultComments;
}

/** Programs that rename or replace a note delete and create it: after this time it counts as deleted. */
const GONE_AFTER_MS = 1_500;

/**
 * Moves the comments of a note along: they are renamed with it and go to the trash with it. A
 * note that another program has renamed is recognised by its text. Everything registered is removed when the
 * plugin unloads.
 */
export function followNotes(parts: FollowParts): void {
  const { app, plugin } = parts;
  const created = new Map<string, number>();
  plugin.registerEvent(
    app.vault.on("rename", (file, oldPath) => {
      if (isNote(file)) void rename(parts, oldPath, file.path);
    }),
  );
  plugin.registerEvent(
    app.vault.on("create", (file) => {
      const now = Date.now();
      for (const [path, ms] of created) if (now - ms > 2 * GONE_AFTER_MS) created.delete(path);
      if (isNote(file)) created.set(file.path, now);
    }),
  );
  plugin.registerEvent(
    app.vault.on("delete", (file) => {
      if (!isNote(file) || commentsOf(app, file.path) === null) return;
      const timer = window.setTimeout(() => {
        timers.delete(timer);
        void noteGone(parts, file.path, [...created.keys()]);
      }, GONE_AFTER_MS);
      timers.add(timer);
    }),
  );
  const timers = new Set<number>();
  plugin.register(() => {
    for (const timer of timers) window.clearTimeout(timer);
  });
}

function isNote(file: TAbstractFile): boolean {
  return file instanceof TFile && isNotePath(file.path);
}

function commentsOf({ vault }: App, path: string): TFile | null {
  return vault.getFileByPath(path + commentsSuffix);
}

async function rename({ app }: FollowParts, from: string, to: string): Promise<void> {
  const file = commentsOf(app, from);
  if (file === null) return;
  const next = to + commentsSuffix;
  try {
    if (await app.vault.adapter.exists(next)) throw new Error(texts.comments.taken(next));
    await app.fileManager.renameFile(file, next);
  } catch (error) {
    const reason = (error as Error).message;
    new Notice(texts.comments.left({ file: from + commentsSuffix, reason }), 0);
  }
}

async function noteGone(
  parts: FollowParts,
  path: string,
  created: readonly string[],
): Promise<void> {
  const { app, comments } = parts;
  const file = commentsOf(app, path);
  if (file === null || (await app.vault.adapter.exists(path))) return;
  try {
    const { document } = await comments.saved.file(path);
    for (const next of created) {
      const note = app.vault.getFileByPath(next);
      if (note === null || commentsOf(app, next) !== null) continue;
      const hash = await comments.hashOf(next, await app.vault.read(note));
      if (hash === document.outline?.hash) return await rename(parts, path, next);
    }
    await app.fileManager.trashFile(file);
  } catch (error) {
    const reason = (error as Error).message;
    new Notice(texts.comments.left({ file: file.path, reason }), 0);
  }
}
