import { type ChangeComment, describeSent } from "@idewire/core/internal";
import type { SendComments } from "../../../comments/send-folder-comments.ts";
import { line } from "../../../output/printable.ts";
import type { TerminalScreen } from "../prompt/screen.ts";

/** The answers of both reviews that concern comments, with the effect of sending them. */
export function commentAnswers(
  effect: string,
): readonly (readonly [answer: string, help: string])[] {
  return [
    ["c <text>", "comment on the lines of this hunk"],
    ["s", `send the comments${effect}`],
  ];
}

/** A typed line that concerns comments. */
export const COMMENT_ANSWER: RegExp = /^(?:s|c(?: .*)?)$/s;

/** Collects the person's comments on lines of one change, and sends them to its agent together. */
export class ChangeComments {
  readonly #screen: TerminalScreen;
  readonly #send: SendComments;
  #comments: readonly ChangeComment[] = [];

  constructor(screen: TerminalScreen, send: SendComments) {
    this.#screen = screen;
    this.#send = send;
  }

  /**
   * Answers a typed line.
   * @param id of the change
   * @param lines of the current hunk
   * @returns whether the comments were sent
   * @throws Error with a message for the person
   */
  async answer(typed: string, id: string, lines: Omit<ChangeComment, "text">): Promise<boolean> {
    if (typed === "s") return this.#sendAll(id);
    const text = typed.slice(1).trim();
    if (text === "") throw new Error("Which comment? For example: c Not before June.");
    this.#comments = [...this.#comments, { ...lines, text }];
    const { length } = this.#comments;
    this.#screen.print(
      line`${length === 1 ? "1 comment; s sends it." : `${length} comments; s sends them.`}`,
    );
    return false;
  }

  /** Another change is under review. */
  forget(): void {
    this.#comments = [];
  }

  async #sendAll(id: string): Promise<boolean> {
    if (this.#comments.length === 0)
      throw new Error("There is no comment to send: c <text> adds one.");
    const sent = await this.#send(id, this.#comments);
    const isCopied = this.#screen.copy(sent.message);
    if (sent.file !== undefined) this.#comments = [];
    this.#screen.print(
      line`${describeSent(sent)}`,
      isCopied
        ? line`Copied to the clipboard, if this terminal allows it.`
        : line`Not copied: the output is no terminal.`,
    );
    return sent.file !== undefined;
  }
}
