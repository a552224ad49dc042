import { type Draft, textOfDraft } from "@idewire/codemirror";
import {
  type DiffOutcome,
  type DiffRequest,
  Emitter,
  PendingDiffs,
  type PosixPath,
  type Unsubscribe,
} from "@idewire/core";
import type { CloseDiffReason, ClosedDiff, DiffEndedBy, DiffId } from "@idewire/core/internal";
import { type Clock, ToolFailure } from "@idewire/core/rpc";
import { type CurrentText, isSameText, newestText } from "./current-text.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { type Compared, type DraftState, replaceAsStep } from "./editor/compared-with.ts";
import type { ReviewHistory } from "./history/history.ts";
import { recordedOutcome } from "./history/recorded-outcome.ts";
import { type PrepareReviewParts, prepareReview } from "./prepare-review.ts";
import {
  answerOf,
  compareWithNewer,
  isRenamed,
  mergeNewer,
  type Review,
  stateOf,
  textOf,
} from "./review.ts";
import { ReviewQueue } from "./review-queue.ts";

/** The dependencies of the controller. */
export interface ReviewControllerParts extends PrepareReviewParts {
  readonly history: ReviewHistory;
  readonly clock: Clock;
  /** The name to show for a path. */
  readonly nameAt: (path: PosixPath) => string;
  /** Writes a text into a note as one undo step; false if that is not possible. */
  readonly put: (path: PosixPath, text: string) => Promise<boolean>;
  /** Whether the text of this file may not be kept. */
  readonly isExcluded: (path: PosixPath) => boolean;
}

export interface ReviewEvents {
  /** Another review should be shown, or none. */
  current(): void;
  /** Something about a review changed. */
  review(review: Review): void;
  /** Obsidian or the plugin closes: pending reviews have expired. */
  ended(): void;
  /** The text is too long for edits to be stored before the decision. */
  "too-long"(review: Review): void;
  /** The agent may write this text now: it was accepted here, or perhaps in the terminal. */
  released(review: Review, text: string): void;
  /** The agent disconnected before the person had decided. */
  gone(review: Review): void;
  /** The text was accepted, but cannot be written into the renamed file. */
  "not-put"(review: Review): void;
}

/** Adds drafts, history and newer texts to the pending diffs of core. */
export class ReviewController {
  readonly #diffs: PendingDiffs<Review>;
  readonly queue: ReviewQueue<Review>;
  readonly #events: Emitter<ReviewEvents> = new Emitter();
  readonly #parts: ReviewControllerParts;
  /** Proposals are prepared one at a time, so that a hundred of them do not block the app. */
  #reading: Promise<unknown> = Promise.resolve();
  readonly #keeper: DraftKeeper;
  /** Reviews whose text was written into the renamed file. */
  readonly #put = new WeakSet<Review>();

  constructor(parts: ReviewControllerParts) {
    this.#parts = parts;
    const onTooLong = (review: Review) => this.#events.emit("too-long", review);
    this.#keeper = new DraftKeeper({ ...parts, onTooLong });
    this.#diffs = new PendingDiffs({
      prepare: (request) => this.#prepare(request),
      textOf: ({ draft }) => textOfDraft(draft),
      failAtEnd: ({ path }) => {
        const why = "the editor closed the review before it was decided; ask the person yourself";
        return new ToolFailure(`${path}: ${why}`);
      },
    });
    this.queue = new ReviewQueue(() => this.#diffs.shown);
    this.#diffs.events.on("diffOpened", (review) => this.#opened(review));
    this.#diffs.events.on("diffClosed", (...end) => this.#closed(...end));
  }

  on<E extends keyof ReviewEvents>(event: E, listener: ReviewEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Settles when the person has decided or the diff is closed from outside. */
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    return this.#diffs.open(request, signal);
  }

  /** The agent has its answer already, no longer wants one, or has disconnected. */
  close(id: DiffId, why: CloseDiffReason): ClosedDiff {
    return this.#diffs.close(id, why);
  }

  /**
   * Accepts the shown text. If the file has changed since it was compared, that is shown
   * instead and nothing is decided.
   */
  async accept(review: Review): Promise<void> {
    if (review.newer !== undefined) return;
    const text = textOfDraft(review.draft);
    await this.recheck(review);
    const isStale = review.newer !== undefined || textOfDraft(review.draft) !== text;
    if (isStale) return;
    const answer = answerOf(review, text);
    const isPutHere = answer.kind === "accepted" && isRenamed(review);
    if (isPutHere) await this.#putIntoRenamed(review, text);
    else this.#diffs.answer(review.id, answer, "editor");
  }

  /** @param comments of the person, for an agent that accepts text with a rejection */
  reject(review: Review, comments?: string): void {
    const answer = { kind: "rejected", ...(comments !== undefined && { comments }) } as const;
    this.#diffs.answer(review.id, answer, "editor");
  }

  /** The person closed the tab. */
  dismiss(review: Review): void {
    this.#diffs.answer(review.id, { kind: "closed" }, "editor");
  }

  rejectAll(): void {
    for (const review of this.queue.waiting) this.reject(review);
  }

  /** Obsidian closes: agents ask in their terminals instead. */
  end(): void {
    this.#diffs.end();
    this.#events.emit("ended");
  }

  /** The person has edited it, or has undone the comparison with a newer text. */
  edited(review: Review, { draft, undoSteps, compared }: DraftState): void {
    review.draft = draft;
    review.undoSteps = undoSteps;
    this.#touched(review);
    if (compared !== undefined && compared.current !== review.current) {
      this.#compareAgain(review, compared);
    }
  }

  move(step: 1 | -1): void {
    this.queue.move(step);
    this.#events.emit("current");
  }

  /** Checks whether the file is still what the proposal is compared with. */
  async recheck(review: Review): Promise<void> {
    const now = await this.#parts.read(review.path);
    const newest = newestText(review.before, now, review.current);
    const newer = isSameText(newest, review.current) ? undefined : newest;
    review.now = now;
    if (newer === undefined) review.before = now;
    if (newer === undefined && review.newer === undefined) return;
    if (newer !== undefined && review.newer !== undefined && isSameText(newer, review.newer))
      return;
    review.newer = newer;
    this.#events.emit("review", review);
  }

  async recheckPath(path: PosixPath): Promise<void> {
    const affected = this.queue.waiting.filter((review) => review.path === path);
    await Promise.all(affected.map((review) => this.recheck(review)));
  }

  /** A file or a folder was renamed. */
  renamed(from: PosixPath, to: PosixPath): void {
    for (const review of this.queue.waiting) {
      const isBelow = review.path.startsWith(`${from}/`);
      if (review.path !== from && !isBelow) continue;
      review.path = `${to}${review.path.slice(from.length)}` as PosixPath;
      review.name = this.#parts.nameAt(review.path);
      this.#events.emit("review", review);
    }
    this.#parts.history.renamed(from, to, this.#parts.nameAt);
  }

  /** Merges the newer text into the proposal; returns the number of places that both changed. */
  merge(review: Review): number {
    const { newer } = review;
    if (newer === undefined) return 0;
    const { draft, overlaps } = mergeNewer(review, newer);
    this.#rebase(review, newer, draft);
    return overlaps;
  }

  /** Compares the unchanged proposal with the newer text. */
  compare(review: Review): void {
    const { newer } = review;
    if (newer !== undefined) this.#rebase(review, newer, compareWithNewer(review, newer));
  }

  /** The agent would create the file again under its old name, so its edit is answered as rejected. */
  async #putIntoRenamed(review: Review, text: string): Promise<void> {
    if (!(await this.#parts.put(review.path, text))) {
      this.#events.emit("not-put", review);
      return;
    }
    this.#put.add(review);
    this.reject(review);
  }

  #rebase(review: Review, current: CurrentText, draft: Draft): void {
    const compared = { current, before: review.now };
    const step = replaceAsStep(stateOf(review), { draft, compared });
    review.draft = step.draft;
    review.undoSteps = step.undoSteps;
    review.current = current;
    review.before = review.now;
    review.newer = undefined;
    this.#touched(review);
    this.#events.emit("review", review);
  }

  /** The current text may have changed: accepting is disabled until it has been read. */
  #compareAgain(review: Review, { current, before }: Compared): void {
    review.newer = review.current;
    review.current = current;
    review.before = before;
    // The editor that reports this is still updating and is about to be replaced.
    queueMicrotask(() => {
      this.#events.emit("review", review);
      void this.recheck(review);
    });
  }

  #touched(review: Review): void {
    const isKept = !this.#parts.isExcluded(review.path);
    if (isKept && this.queue.get(review.id) !== undefined) this.#keeper.touched(review);
  }

  #prepare(request: DiffRequest): Promise<Review> {
    const review = this.#reading.then(() => prepareReview(request, this.#parts));
    this.#reading = review.catch(() => undefined);
    return review;
  }

  #opened(review: Review): void {
    this.#remember(review);
    const isFirst = this.queue.current === undefined;
    this.queue.opened(review);
    if (isFirst) this.#events.emit("current");
    else this.#events.emit("review", review);
  }

  #remember({ record, request, path, name, agent, current }: Review): void {
    const about = { id: record, path, name, agent };
    const before = current.kind === "text" ? textOf(current) : undefined;
    const texts = { before, proposed: request.proposed };
    this.#parts.history.begin(about, this.#parts.isExcluded(path) ? undefined : texts);
  }

  #closed(review: Review, outcome: DiffOutcome, by: DiffEndedBy): void {
    this.queue.closed(review);
    this.#keeper.forget(review);
    const text = textOfDraft(review.draft);
    const edited = text !== review.request.proposed;
    const answer = this.#put.has(review) ? ({ kind: "accepted", text, edited } as const) : outcome;
    this.#parts.history.finish(review.record, recordedOutcome(answer, by), text);
    if (outcome.kind === "accepted") this.#events.emit("released", review, outcome.text);
    else if (by === "answered-elsewhere") {
      this.#events.emit("released", review, review.request.proposed);
    }
    if (by === "session-gone") this.#events.emit("gone", review);
    // When Obsidian closes, the tab stays.
    if (by !== "editor-closed") this.#events.emit("current");
  }
}
