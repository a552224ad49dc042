import type { Emitter, HostEvents, Mention, PosixPath } from "@idewire/core";
import type { MentionDelivery } from "@idewire/core/internal";
import { commentsSuffix } from "@idewire/paired-comments/internal";
import { isNotePath, type VaultComments } from "../comments/vault-comments.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import type { NoteOutlet } from "./send-note-comments.ts";

export interface NoteOutletParts {
  readonly files: () => VaultComments;
  /** As `recipientsOf` of the listener. */
  readonly recipientsOf: (mention: Mention) => MentionDelivery;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
  readonly open: (path: PosixPath) => Promise<void>;
}

/** Stores comments beside notes of the vault, and mentions them to agents as the person's notes are. */
export function createNoteOutlet(parts: NoteOutletParts): NoteOutlet {
  const { files, recipientsOf, paths, events, open } = parts;
  return {
    async store({ path, text, current }, comments) {
      const vaultPath = paths.toVault(path);
      if (vaultPath === undefined || !isNotePath(vaultPath)) {
        throw new Error(texts.review.comment.noNote);
      }
      await files().addOnChange({ path: vaultPath, text, current }, comments);
      return `${path}${commentsSuffix}` as PosixPath;
    },
    mention(path, session) {
      const mention = { path, ...(session !== undefined && { session }) };
      const delivery = recipientsOf(mention);
      events.emit("mention", mention);
      return delivery;
    },
    open,
  };
}
