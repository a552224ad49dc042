import { describeHiddenChanges } from "../hunks/hidden-changes.ts";
import type { DiffAnswer } from "../ide/diffs/pending-diffs.ts";
import type { DiffRequest } from "../ide/editor-host.ts";
import { countAddedHidden, describeAddedHidden } from "../text/added-hidden.ts";

/** The input of a review. */
export interface ReviewContext {
  readonly request: DiffRequest;
  /** The text that the proposal is compared with; empty for a new file. */
  readonly original: string;
  /** Settles the diff; false when it is no longer pending. */
  readonly answer: (answer: DiffAnswer) => boolean;
}

/** A pending diff; a subclass shows it and reports the text as edited by the person. */
export abstract class PageReview {
  readonly request: DiffRequest;
  /** The text that the proposal is compared with; empty for a new file. */
  readonly original: string;
  readonly #notes: string[] = [];
  readonly #answer: ReviewContext["answer"];
  readonly #ended = new AbortController();

  constructor({ request, original, answer }: ReviewContext) {
    this.request = request;
    this.original = original;
    this.#answer = answer;
    if (request.outsideWorkspace) this.addNote("The file is outside the workspace folders");
    this.addNote(describeAddedHidden(countAddedHidden(original, request.proposed)));
    for (const change of describeHiddenChanges(original, request.proposed)) this.addNote(change);
  }

  /** The text that would be accepted now, to the byte. */
  abstract get text(): string;

  /** Warnings that the person must read before accepting, such as hidden characters. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Aborted when the diff is answered or closed, also by the agent. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Accepts {@link text}; false when the diff is no longer pending. */
  accept(): boolean {
    return this.#answer({ kind: "accepted", text: this.text });
  }

  reject(): boolean {
    return this.#answer({ kind: "rejected" });
  }

  /** Closes it without a decision. */
  close(): boolean {
    return this.#answer({ kind: "closed" });
  }

  /** @param note nothing is added when undefined, or for an existing note */
  addNote(note: string | undefined): void {
    if (note !== undefined && !this.#notes.includes(note)) this.#notes.push(note);
  }

  /** The diff was answered or closed. */
  end(): void {
    this.#ended.abort();
  }
}
