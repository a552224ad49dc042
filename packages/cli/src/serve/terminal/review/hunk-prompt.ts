import { asProposed, type DiffAnswer, relativeTo } from "@idewire/core/internal";
import type { Palette } from "../../../output/palette.ts";
import { line, type Printable } from "../../../output/printable.ts";
import { drawRows } from "../diff/diff-view.ts";
import { warnOfHidden } from "../diff/hidden-warning.ts";
import { acceptEdited, type EditingContext } from "./accept-edited.ts";
import { type ChangeComments, COMMENT_ANSWER } from "./change-comments.ts";
import { CHANGED_ON_BOTH_SIDES, conflictsOf } from "./conflicts.ts";
import type { QueuedDiff } from "./diff-queue.ts";
import { type Hunk, HunkReview, type HunkVerdict } from "./hunk-review.ts";
import { ANSWERS, isAnswer, nextUndecided, placeOf } from "./review-answers.ts";

export interface HunkPromptOptions extends EditingContext {
  readonly palette: Palette;
  readonly comments: ChangeComments;
}

interface OpenReview {
  readonly queued: QueuedDiff;
  readonly review: HunkReview;
  /** The current hunk. */
  index: number;
  shownRows: number;
}

/** Reviews a proposal hunk by hunk; when all are decided, the agent gets the result. */
export class HunkPrompt {
  readonly #options: HunkPromptOptions;
  #open: OpenReview | undefined;
  #decided: number[] = [];

  constructor(options: HunkPromptOptions) {
    this.#options = options;
  }

  /** The prompt; undefined when nothing is under review. */
  get question(): string | undefined {
    const open = this.#current();
    if (open === undefined) return undefined;
    return `hunk ${open.index + 1}/${open.review.hunks.length} [y,n,?]> `;
  }

  /** @throws Error with a message when there are no hunks */
  start(queued: QueuedDiff): void {
    const { current = "", unreadable, request } = queued.pending;
    if (unreadable !== undefined) throw new Error(`It cannot be split into hunks: ${unreadable}.`);
    const review = new HunkReview(
      asProposed(current, request.proposed),
      request.proposed,
      conflictsOf(queued.pending),
    );
    if (review.hunks.length === 0) throw new Error("It changes nothing: accept or reject it.");
    this.#decided = [];
    this.#options.comments.forget();
    this.#open = { queued, review, index: 0, shownRows: 0 };
    this.#options.screen.print(...warnOfHidden(queued.pending, this.#options.palette));
    this.#show();
  }

  /** Whether a typed line answers the prompt. */
  takes(typed: string): boolean {
    return this.#current() !== undefined && isAnswer(typed);
  }

  /** @throws Error with a message for the person */
  async answer(typed: string): Promise<void> {
    const open = this.#current();
    if (open === undefined) return;
    if (COMMENT_ANSWER.test(typed)) return this.#comment(open, typed);
    switch (typed.charAt(0)) {
      case "y":
        return this.#decide(open, "accepted", open.index + 1);
      case "n":
        return this.#decide(open, "rejected", open.index + 1);
      case "a":
        return this.#decide(open, "accepted", open.review.hunks.length);
      case "d":
        return this.#decide(open, "rejected", open.review.hunks.length);
      case "e":
        return this.#edit(open);
      case "u":
        return this.#cancel(open);
      case "q":
        return this.#leave();
      case "?":
        return this.#help();
      default:
        return this.#goTo(open, placeOf(open.review, open.index, typed));
    }
  }

  /** Shows the next page of a long hunk; false at its end, or without a review. */
  showMore(): boolean {
    const open = this.#current();
    if (open === undefined) return false;
    const { review, index, shownRows } = open;
    const hunk = review.hunks[index];
    if (hunk === undefined || shownRows >= review.rowsOf(hunk).length) return false;
    this.#options.screen.print(...this.#nextPage(open, hunk));
    return true;
  }

  /** The review, unless its proposal was answered elsewhere or is compared with another text now. */
  #current(): OpenReview | undefined {
    const reviewed = this.#open?.queued.pending;
    if (!this.#options.host.pendingDiffs.some((pending) => pending === reviewed)) {
      this.#open = undefined;
    }
    return this.#open;
  }

  async #decide(open: OpenReview, verdict: HunkVerdict, to: number): Promise<void> {
    const { review, index } = open;
    for (let place = index; place < to; place++) {
      if (place !== index && review.hunks[place]?.verdict !== undefined) continue;
      review.decide(place, verdict);
      this.#decided.push(place);
    }
    if (review.isDone) await this.#finish(open);
    else this.#goTo(open, nextUndecided(review, index));
  }

  #finish({ queued, review }: OpenReview): Promise<void> {
    const { act, screen } = this.#options;
    const { id } = queued.pending.request;
    const accepted = review.hunks.filter(({ verdict }) => verdict === "accepted").length;
    this.#open = undefined;
    screen.print(line`${accepted} of ${review.hunks.length} hunks accepted.`);
    const { text } = review;
    const answer: DiffAnswer = accepted === 0 ? { kind: "rejected" } : { kind: "accepted", text };
    return act({ do: "answerDiff", id, answer });
  }

  #edit({ queued, review }: OpenReview): Promise<void> {
    const unchanged = line`You changed nothing: answer the hunk with y or n.`;
    return acceptEdited(queued.pending, review.text, unchanged, this.#options);
  }

  async #comment({ queued, review, index }: OpenReview, typed: string): Promise<void> {
    const hunk = review.hunks[index];
    if (hunk === undefined) return;
    const { id } = queued.pending.request;
    await this.#options.comments.answer(typed, id, review.linesOf(hunk));
  }

  #cancel(open: OpenReview): void {
    const place = this.#decided.pop();
    if (place === undefined) throw new Error("There is no decision to undo.");
    open.review.decide(place, undefined);
    this.#goTo(open, place);
  }

  #leave(): void {
    this.#open = undefined;
    this.#options.screen.print(line`Not answered: the diff is still pending; accept or reject it.`);
  }

  #help(): void {
    const { screen, palette } = this.#options;
    const width = Math.max(...ANSWERS.map(([answer]) => answer.length));
    screen.print(
      ...ANSWERS.map(([answer, help]) => line`  ${palette.bold(answer.padEnd(width))}  ${help}`),
    );
  }

  #goTo(open: OpenReview, index: number): void {
    open.index = index;
    this.#show();
  }

  #show(): void {
    const open = this.#open;
    const hunk = open?.review.hunks[open.index];
    if (open === undefined || hunk === undefined) return;
    open.shownRows = 0;
    const { host, screen, palette } = this.#options;
    const { request } = open.queued.pending;
    const where = relativeTo(host.folder, request.path);
    const label = `[${open.index + 1}/${open.review.hunks.length}]`;
    const decided = hunk.verdict === undefined ? "" : ` (${hunk.verdict} so far)`;
    screen.print(
      line``,
      line`${palette.bold(label)} ${where}${palette.dim(decided)}`,
      ...(hunk.isConflict ? [line`      ${palette.alarm(CHANGED_ON_BOTH_SIDES)}`] : []),
      ...this.#nextPage(open, hunk),
      palette.dim("    accept this hunk? y, n, e to edit, ? for more"),
    );
  }

  #nextPage(open: OpenReview, hunk: Hunk): readonly Printable[] {
    const { screen, palette } = this.#options;
    if (hunk.note !== undefined) return [line`      ${palette.warning(hunk.note)}`];
    const rows = open.review.rowsOf(hunk);
    const page = rows.slice(open.shownRows, open.shownRows + screen.pageLength);
    open.shownRows += page.length;
    const left = rows.length - open.shownRows;
    return [
      ...drawRows(page, rows.lastNumber, palette),
      ...(left > 0 ? [palette.warning(`    … ${left} more lines: type more`)] : []),
    ];
  }
}
