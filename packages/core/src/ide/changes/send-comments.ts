import type { PosixPath } from "../../paths/posix-path.ts";
import { describeUnable, type MentionDelivery } from "../mention-delivery.ts";

/** How a person's comments on a change reach its agent. */
export interface CommentOutlet {
  /**
   * Stores them beside the file that they are about.
   * @returns the file of comments
   * @throws Error with a message for the person
   */
  store(): Promise<PosixPath>;
  /** Rejects a pending proposal; left out for an edit. */
  readonly reject?: ((message: string) => void) | undefined;
  /**
   * Mentions the file of comments to the agents.
   * @throws Error with a message for the person when there are none
   */
  mention(
    file: PosixPath,
  ): Pick<MentionDelivery, "unable"> | Promise<Pick<MentionDelivery, "unable">>;
  /** Opens it for agents that cannot be sent mentions: the active file is in the context of their next prompt. */
  open(file: PosixPath): Promise<void>;
}

/** Where the comments on a change went. */
export interface SentComments<Path extends string = string> {
  /** All of them as one message, for the clipboard. */
  readonly message: string;
  /** The file in which they are stored. */
  readonly file?: Path;
  /** Why they were not stored; with `file`, why not all agents received the mention. */
  readonly problem?: string;
}

/**
 * Sends comments: stored first, since the agent reads them once its proposal is rejected; without them it stays
 * pending. An agent that accepts text with a rejection gets them with it.
 * @param message all comments, as `composeComments` writes them
 */
export async function sendComments(
  message: string,
  outlet: CommentOutlet,
): Promise<SentComments<PosixPath>> {
  let file: PosixPath | undefined;
  let problem: string | undefined;
  try {
    file = await outlet.store();
    outlet.reject?.(message);
    const unable = describeUnable(await outlet.mention(file));
    if (unable !== undefined) {
      await outlet.open(file);
      problem = `${unable}; the file is open instead`;
    }
  } catch (error) {
    problem = (error as Error).message;
  }
  return {
    message,
    ...(file !== undefined && { file }),
    ...(problem !== undefined && { problem }),
  };
}

/** The outcome of sending comments, for the person. */
export function describeSent({ file, problem }: Omit<SentComments, "message">): string {
  if (problem === undefined) return `Sent as a mention of ${file}.`;
  return file === undefined ? `Not sent: ${problem}.` : `Stored in ${file}: ${problem}.`;
}
