import type { Emitter, HostEvents, IdeSession, PosixPath, ShareLevel } from "@idewire/core";
import { commentsSuffix } from "@idewire/paired-comments/internal";
import { isNotePath, type VaultComments } from "../comments/vault-comments.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import type { NoteOutlet } from "./send-note-comments.ts";

export interface NoteOutletParts {
  readonly files: () => VaultComments;
  readonly sessions: () => readonly IdeSession[];
  readonly level: () => ShareLevel;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
}

/** Stores comments beside notes of the vault, and mentions them to agents as the person's notes are. */
export function createNoteOutlet(parts: NoteOutletParts): NoteOutlet {
  const { files, sessions, level, paths, events } = parts;
  const { noNote, nobody, off } = texts.review.comment;
  return {
    async store({ path, text, current }, comments) {
      const vaultPath = paths.toVault(path);
      if (vaultPath === undefined || !isNotePath(vaultPath)) throw new Error(noNote);
      await files().addOnChange({ path: vaultPath, text, current }, comments);
      return `${path}${commentsSuffix}` as PosixPath;
    },
    mention(path, session) {
      if (level() === "off") return off;
      const able = sessions().filter(({ takesMentions }) => takesMentions);
      const own = able.find(({ id }) => id === session);
      if (session === undefined ? able.length === 0 : own === undefined) return nobody;
      events.emit("mention", { path, ...(own !== undefined && { session: own.id }) });
      return undefined;
    },
  };
}
