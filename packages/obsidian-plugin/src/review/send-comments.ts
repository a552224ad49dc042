import type { PosixPath } from "@idewire/core";
import { type ChangeComment, composeComments } from "@idewire/core/internal";
import { Notice } from "obsidian";
import { texts } from "../texts/index.ts";

/** How comments on a change reach its agent. */
export interface CommentOutlet {
  /**
   * Stores them beside the note.
   * @returns the file of comments
   * @throws Error with a message for the person
   */
  store(change: CommentedChange, comments: readonly ChangeComment[]): Promise<PosixPath>;
  /**
   * Mentions a file to an agent, or to all.
   * @returns why it received no mention
   */
  mention(path: PosixPath, session: string | undefined): string | undefined;
}

/** The change that is commented on. */
export interface CommentedChange {
  readonly path: PosixPath;
  readonly name: string;
  /** The proposed or written text, and that of the note now. */
  readonly text: string;
  readonly current: string;
  /** The session of its agent; all agents if it is not known. */
  readonly session?: string;
  /** Rejects a pending proposal. */
  readonly reject?: (comments: string) => void;
}

/**
 * Sends comments: stored first, since the agent reads them once its proposal is rejected; without them it stays
 * pending. They are copied in any case.
 * @returns whether they were stored
 */
export async function sendComments(
  change: CommentedChange,
  comments: readonly ChangeComment[],
  outlet: CommentOutlet,
): Promise<boolean> {
  const message = composeComments(change.name, change.text, comments);
  const { copied, sent, unsent } = texts.review.comment;
  const isCopied = await activeWindow.navigator.clipboard.writeText(message).then(
    () => true,
    () => false,
  );
  const words: string[] = [];
  let isStored = false;
  try {
    const file = await outlet.store(change, comments);
    isStored = true;
    change.reject?.(message);
    const problem = outlet.mention(file, change.session);
    words.push(problem === undefined ? sent(baseName(file)) : unsent(problem));
  } catch (error) {
    words.push(unsent((error as Error).message));
  }
  new Notice([...words, ...(isCopied ? [copied] : [])].join(" "));
  return isStored;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
