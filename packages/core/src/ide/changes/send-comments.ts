import type { PosixPath } from "../../paths/posix-path.ts";

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
   * @returns why not all of them received it
   * @throws Error with a message for the person when none did
   */
  mention(file: PosixPath): string | undefined | Promise<string | undefined>;
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
    problem = await outlet.mention(file);
  } catch (error) {
    problem = (error as Error).message;
  }
  return {
    message,
    ...(file !== undefined && { file }),
    ...(problem !== undefined && { problem }),
  };
}

/** What became of comments, for the person. */
export function describeSent({ file, problem }: Omit<SentComments, "message">): string {
  if (problem === undefined) return `Sent as a mention of ${file}.`;
  return file === undefined ? `Not sent: ${problem}.` : `Stored in ${file}: ${problem}.`;
}
