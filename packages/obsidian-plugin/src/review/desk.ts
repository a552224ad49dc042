import { type Draft, textOfDraft } from "@idewire/codemirror";
import {
  type CloseDiffReason,
  type ClosedDiff,
  type DiffId,
  type DiffOutcome,
  type DiffRequest,
  Emitter,
  type PosixPath,
  ToolFailure,
  type Unsubscribe,
} from "@idewire/core";
import { type CurrentText, isSameText } from "./current-text.ts";
import type { DeskEvents, DeskParts } from "./desk-parts.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { deletesMuch } from "./editor/compare-once.ts";
import type { Fate } from "./history/record.ts";
import {
  closedDiff,
  compareWithNewer,
  mergeNewer,
  outcomeOf,
  type Review,
  startDraft,
  textOf,
} from "./review.ts";
import { ReviewQueue } from "./review-queue.ts";

/** What becomes of a proposal that nobody has decided here. */
const FATES: Readonly<Record<CloseDiffReason, Fate>> = {
  "answered-elsewhere": "answered-elsewhere",
  "session-gone": "expired",
  asked: "withdrawn",
};

interface Waiting {
  readonly request: DiffRequest;
  /** Undefined until the current text is read. */
  review: Review | undefined;
  readonly resolve: (outcome: DiffOutcome) => void;
  readonly reject: (error: ToolFailure) => void;
}

/** Where proposals wait for the person, whatever shows them. */
export class ReviewDesk {
  readonly queue: ReviewQueue<Review> = new ReviewQueue();
  readonly #events: Emitter<DeskEvents> = new Emitter();
  readonly #parts: DeskParts;
  readonly #waiting = new Map<DiffId, Waiting>();
  /** One after the other, so that they are shown in the order in which they came. */
  #reading: Promise<unknown> = Promise.resolve();
  readonly #keeper: DraftKeeper;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    const onTooLong = (review: Review) => this.#events.emit("too-long", review);
    this.#keeper = new DraftKeeper({ ...parts, onTooLong });
  }

  on<E extends keyof DeskEvents>(event: E, listener: DeskEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Settles when the person has decided, or it is closed from outside. */
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    if (signal.aborted) return Promise.resolve({ kind: "cancelled" });
    return new Promise((resolve, reject) => {
      const abandon = () => void this.close(request.id, whyAborted(signal));
      signal.addEventListener("abort", abandon, { once: true });
      const forget = () => {
        signal.removeEventListener("abort", abandon);
        this.#waiting.delete(request.id);
      };
      const waiting: Waiting = {
        request,
        review: undefined,
        resolve: (outcome) => {
          forget();
          resolve(outcome);
        },
        reject: (error) => {
          forget();
          reject(error);
        },
      };
      this.#waiting.set(request.id, waiting);
      this.#reading = this.#reading.then(() => this.#begin(waiting));
    });
  }

  /** The agent has its answer already, does not want one, or has gone. */
  close(id: DiffId, why: CloseDiffReason): ClosedDiff {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return { alreadyClosed: true };
    const { review } = waiting;
    if (review !== undefined && why === "session-gone") this.#events.emit("gone", review);
    this.#settle(waiting, { kind: "cancelled" }, FATES[why]);
    return review === undefined ? { alreadyClosed: false } : closedDiff(review, review.draft);
  }

  /**
   * Accepts what the person sees, unless the file is not what it was compared with: then that is
   * shown, and nothing is decided.
   */
  async accept(review: Review): Promise<void> {
    if (review.newer !== undefined) return;
    const text = textOfDraft(review.draft);
    await this.recheck(review);
    const waiting = this.#waiting.get(review.id);
    const isStale = review.newer !== undefined || textOfDraft(review.draft) !== text;
    if (waiting === undefined || isStale) return;
    const outcome = outcomeOf(review, text);
    const fate = outcome.kind === "accepted" && outcome.edited ? "edited" : (outcome.kind as Fate);
    this.#settle(waiting, outcome, fate);
  }

  reject(review: Review): void {
    this.#decide(review, "rejected");
  }

  /** The person closed the tab. */
  dismiss(review: Review): void {
    this.#decide(review, "closed");
  }

  rejectAll(): void {
    for (const review of this.queue.waiting) this.reject(review);
  }

  /** Obsidian goes: the agents ask their person themselves. */
  settleAll(): void {
    for (const waiting of [...this.#waiting.values()]) {
      const why = "the editor closed the review before it was decided; ask the person yourself";
      this.#conclude(waiting, "expired");
      waiting.reject(new ToolFailure(`${waiting.request.path}: ${why}`));
    }
    this.#events.emit("ended");
  }

  /** The person has worked on it. */
  touched(review: Review): void {
    const isKept = !this.#parts.isExcluded(review.request.path);
    if (isKept && this.#waiting.has(review.id)) this.#keeper.touched(review);
  }

  move(step: 1 | -1): void {
    this.queue.move(step);
    this.#events.emit("current");
  }

  /** Looks whether the file is still what the proposal is compared with. */
  async recheck(review: Review): Promise<void> {
    const now = await this.#parts.read(review.request.path);
    const newer = isSameText(now, review.current) ? undefined : now;
    if (newer === undefined && review.newer === undefined) return;
    if (newer !== undefined && review.newer !== undefined && isSameText(newer, review.newer))
      return;
    review.newer = newer;
    this.#events.emit("review", review);
  }

  async recheckPath(path: PosixPath): Promise<void> {
    const affected = this.queue.waiting.filter(({ request }) => request.path === path);
    await Promise.all(affected.map((review) => this.recheck(review)));
  }

  /** Puts the newer text and the proposal together; says how many places both changed. */
  merge(review: Review): number {
    const { newer } = review;
    if (newer === undefined) return 0;
    const { draft, overlaps } = mergeNewer(review, newer);
    this.#rebase(review, newer, draft);
    return overlaps;
  }

  /** Keeps the proposal as it is, and shows what it does to the newer text. */
  compare(review: Review): void {
    const { newer } = review;
    if (newer !== undefined) this.#rebase(review, newer, compareWithNewer(review, newer));
  }

  #rebase(review: Review, newer: CurrentText, draft: Draft): void {
    review.current = newer;
    review.newer = undefined;
    review.draft = draft;
    this.touched(review);
    this.#events.emit("review", review);
  }

  async #begin(waiting: Waiting): Promise<void> {
    const { request } = waiting;
    try {
      const read = await this.#parts.read(request.path);
      const named = await this.#parts.nameOf(request);
      const compared = await this.#compare(request, read);
      if (this.#waiting.get(request.id) === waiting) this.#show(waiting, { ...compared, ...named });
    } catch (error) {
      waiting.reject(error as ToolFailure);
    }
  }

  /** In steps, between which the app can do its own work: a note may be long. */
  async #compare(request: DiffRequest, read: CurrentText) {
    // The agent knows what is on the disk; what is typed and not saved yet is newer than that.
    const isUnsaved = read.kind === "text" && read.saved !== undefined;
    const current: CurrentText = isUnsaved ? { kind: "text", text: read.saved ?? "" } : read;
    await this.#parts.pause();
    const draft = startDraft(request, current);
    await this.#parts.pause();
    deletesMuch(draft);
    await this.#parts.pause();
    return { current, newer: isUnsaved ? read : undefined, draft, untouched: draft.result.doc };
  }

  #show(waiting: Waiting, rest: Omit<Review, "id" | "request" | "agent" | "record">): void {
    const { request } = waiting;
    const agent = this.#parts.agentName(request);
    const review: Review = { id: request.id, request, agent, record: this.#parts.newId(), ...rest };
    waiting.review = review;
    this.#remember(review);
    const isFirst = this.queue.current === undefined;
    this.queue.add(review);
    if (isFirst) this.#events.emit("current");
    else this.#events.emit("review", review);
  }

  #remember({ record, request, name, agent, current }: Review): void {
    const about = { id: record, path: request.path, name, agent };
    const before = current.kind === "text" ? textOf(current) : undefined;
    const texts = { before, proposed: request.proposed };
    this.#parts.history.begin(about, this.#parts.isExcluded(request.path) ? undefined : texts);
  }

  #decide(review: Review, kind: "rejected" | "closed"): void {
    const waiting = this.#waiting.get(review.id);
    if (waiting !== undefined) this.#settle(waiting, { kind }, kind);
  }

  /** Settles first: what is taken from the screen after it has nothing left to answer. */
  #settle(waiting: Waiting, outcome: DiffOutcome, fate: Fate): void {
    this.#conclude(waiting, fate);
    waiting.resolve(outcome);
    this.#events.emit("current");
  }

  #conclude({ review }: Waiting, fate: Fate): void {
    if (review === undefined) return;
    this.queue.remove(review.id);
    this.#keeper.forget(review);
    this.#parts.history.finish(review.record, fate, textOfDraft(review.draft));
  }
}

/** The session says by its signal why it does not want the answer any more. */
function whyAborted(signal: AbortSignal): CloseDiffReason {
  const reason: unknown = signal.reason;
  return reason === "session-gone" || reason === "answered-elsewhere" ? reason : "asked";
}
