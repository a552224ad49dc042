import { type ChangeComment, describeCommentedLines } from "@idewire/core/internal";
import { createCommentForm } from "../../comments/comment-form.ts";
import { texts } from "../../texts/index.ts";
import { addButton } from "./controls.ts";

export interface LineCommentsParts {
  /** Whether sending rejects a pending proposal. */
  readonly isWaiting: boolean;
  readonly selectedLines: () => Omit<ChangeComment, "text">;
  /** Resolves to whether the comments were stored for the agent. */
  readonly send: (comments: readonly ChangeComment[]) => Promise<boolean>;
}

/** Collects comments on lines of a change, and sends them to its agent together. */
export class LineComments {
  readonly #dom: HTMLElement;
  readonly #parts: LineCommentsParts;
  #comments: readonly ChangeComment[] = [];

  constructor(parent: HTMLElement, parts: LineCommentsParts) {
    this.#dom = parent.createDiv({ cls: "idewire-line-comments" });
    this.#parts = parts;
    this.#show();
  }

  #show(): void {
    const { isWaiting } = this.#parts;
    const { start, send } = texts.review.comment;
    this.#dom.empty();
    const bar = this.#dom.createDiv({ cls: "idewire-line-comments-bar" });
    addButton(bar, { text: start, onclick: () => this.#write() });
    const { length } = this.#comments;
    if (length > 0) {
      const onclick = () => void this.#send();
      addButton(bar, { text: send(length, isWaiting), cls: "mod-cta", onclick });
    }
    if (length > 0) this.#list();
  }

  #list(): void {
    const list = this.#dom.createEl("ul");
    for (const comment of this.#comments) {
      const item = list.createEl("li");
      item.createSpan({ text: `${describeCommentedLines(comment)}: ${comment.text}` });
      addButton(item, {
        text: texts.review.comment.remove,
        cls: "idewire-line-comments-remove",
        onclick: () => this.#set(this.#comments.filter((each) => each !== comment)),
      });
    }
  }

  #write(): void {
    const lines = this.#parts.selectedLines();
    this.#show();
    const form = createCommentForm(this.#dom, {
      label: describeCommentedLines(lines),
      save: (text) => {
        this.#set([...this.#comments, { ...lines, text }]);
        return Promise.resolve();
      },
      cancel: () => this.#show(),
    });
    form.querySelector("textarea")?.focus();
  }

  #set(comments: readonly ChangeComment[]): void {
    this.#comments = comments;
    this.#show();
  }

  async #send(): Promise<void> {
    if (await this.#parts.send(this.#comments)) this.#set([]);
  }
}
