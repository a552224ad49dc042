import type { PosixPath } from "@idewire/core";
import { baseName } from "@idewire/core";
import {
  type ChangeComment,
  composeComments,
  describeSent,
  type MentionDelivery,
  sendComments,
} from "@idewire/core/internal";
import { Notice } from "obsidian";
import { texts } from "../texts/index.ts";

/** Where the comments on notes of the vault are stored and mentioned. */
export interface NoteOutlet {
  /**
   * Stores them beside the note.
   * @returns the file of comments
   * @throws Error with a message for the person
   */
  store(change: CommentedChange, comments: readonly ChangeComment[]): Promise<PosixPath>;
  /**
   * Mentions a file to an agent, or to all.
   * @throws Error with a message for the person when there is none
   */
  mention(path: PosixPath, session: string | undefined): Pick<MentionDelivery, "unable">;
  /** Opens a file of comments. */
  open(path: PosixPath): Promise<void>;
}

/** The change that is commented on. */
export interface CommentedChange {
  readonly path: PosixPath;
  readonly name: string;
  /** The proposed or written text. */
  readonly text: string;
  /** The text of the note now; undefined if it does not exist yet. */
  readonly current: string | undefined;
  /** The session of its agent; all agents if it is not known. */
  readonly session?: string;
  /** Rejects a pending proposal. */
  readonly reject?: (comments: string) => void;
}

/**
 * Sends comments on a note, and copies them in any case.
 * @returns whether they were stored
 */
export async function sendNoteComments(
  change: CommentedChange,
  comments: readonly ChangeComment[],
  outlet: NoteOutlet,
): Promise<boolean> {
  const message = composeComments(change.name, change.text, comments);
  // Before anything that takes time: the clipboard may be used only soon after the person has clicked.
  const isCopied = await activeWindow.navigator.clipboard.writeText(message).then(
    () => true,
    () => false,
  );
  const { file, ...sent } = await sendComments(message, {
    store: () => outlet.store(change, comments),
    reject: change.reject,
    mention: (path) => outlet.mention(path, change.session),
    open: (path) => outlet.open(path),
  });
  const { outcome, copied } = texts.review.comment;
  const words = outcome(
    describeSent({ ...sent, ...(file !== undefined && { file: baseName(file) }) }),
  );
  new Notice(isCopied ? `${words} ${copied}` : words);
  return file !== undefined;
}
