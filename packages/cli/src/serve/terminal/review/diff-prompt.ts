import { setImmediate } from "node:timers";
import { type DiffOutcome, toNativePath, type Unsubscribe } from "@idewire/core";
import { type DiffEndedBy, describeDiffEnd, relativeTo } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";
import type { Palette } from "../../../output/palette.ts";
import { line, type Printable, shorten } from "../../../output/printable.ts";
import { drawAll, drawRows } from "../diff/diff-view.ts";
import { warnOfHidden } from "../diff/hidden-warning.ts";
import { acceptEdited, type EditingContext } from "./accept-edited.ts";
import { describeConflicts } from "./conflicts.ts";
import type { DiffQueue, QueuedDiff } from "./diff-queue.ts";

/** The most pending diffs announced individually. */
const MAX_ANNOUNCED = 10;

export interface DiffPromptOptions extends EditingContext {
  readonly queue: DiffQueue;
  /** The name of the agent of a session. */
  readonly agentOf: (session: string) => string;
  readonly palette: Palette;
  /** Whether the person has started to type. */
  readonly isTyping: () => boolean;
  /** Shows lines in a pager in the terminal; false when there is no pager. */
  readonly page: (lines: Iterable<Printable>) => Promise<boolean>;
}

/** Shows new diffs one at a time, and applies the answers. */
export class DiffPrompt {
  readonly #options: DiffPromptOptions;
  readonly #queue: DiffQueue;
  readonly #unsubscribe: readonly Unsubscribe[];
  #shown: QueuedDiff | undefined;
  /** Set when the current diff changed during typing: the typed answer may be meant for the previous one. */
  #changedWhileTyping = false;

  constructor(options: DiffPromptOptions) {
    this.#options = options;
    const { host } = options;
    this.#queue = options.queue;
    this.#unsubscribe = [
      host.onDiff("diffOpened", (pending) => this.#opened(pending)),
      host.onDiff("diffChanged", (pending) => this.#changed(pending)),
      host.onDiff("diffClosed", (...end) => this.#closed(...end)),
    ];
    for (const pending of host.pendingDiffs) this.#opened(pending);
  }

  get numbers(): readonly number[] {
    return this.#queue.all.map((queued) => queued.number);
  }

  /** Call when the typed line was run or discarded. */
  lineDone(): void {
    this.#changedWhileTyping = false;
  }

  close(): void {
    for (const stop of this.#unsubscribe) stop();
  }

  answer(number: string, outcome: "accepted" | "rejected"): Promise<void> {
    const { pending } = this.#findToAnswer(number);
    const { id, proposed } = pending.request;
    const accepted = { kind: "accepted", text: proposed } as const;
    const answer = outcome === "accepted" ? accepted : ({ kind: "rejected" } as const);
    return this.#options.act({ do: "answerDiff", id, answer });
  }

  async edit(number: string): Promise<void> {
    const { pending } = this.#findToAnswer(number);
    const unchanged = line`You changed nothing: the diff is still pending; accept or reject it.`;
    await acceptEdited(pending, pending.request.proposed, unchanged, this.#options);
  }

  /** The diff to review by hunks. */
  toReview(number: string): QueuedDiff {
    return this.#findToAnswer(number);
  }

  /** Shows a whole diff in the pager, or page by page if there is none. */
  async view(number: string): Promise<void> {
    const { rows } = this.#queue.find(number).diff;
    if (!(await this.#options.page(drawAll(rows, this.#options.palette)))) this.show(number);
  }

  /** Shows a diff from its beginning. */
  show(number: string): void {
    const queued = this.#queue.find(number);
    queued.shownRows = 0;
    this.#show(queued);
  }

  /** Shows the next page. */
  showMore(number: string): void {
    const queued = this.#queue.find(number);
    if (queued.shownRows >= queued.diff.rows.length) throw new Error("That was the last page.");
    this.#options.screen.print(...this.#nextPage(queued));
  }

  list(): void {
    const { screen, palette } = this.#options;
    const lines = this.#queue.all.map((queued) => {
      const { outsideWorkspace } = queued.pending.request;
      const where = outsideWorkspace ? line`  ${palette.alarm("outside the folder")}` : "";
      return line`${this.#headline(queued)}${where}`;
    });
    screen.print(...(lines.length > 0 ? lines : [line`No diff is pending.`]));
  }

  #opened(pending: PendingDiff): void {
    const queued = this.#queue.of(pending);
    if (queued === undefined) return;
    if (this.#queue.current === queued) this.#showCurrent();
    else this.#announce(queued);
  }

  /** Shown again if the person has seen it; a review of its hunks has ended. */
  #changed(pending: PendingDiff): void {
    const wasShown = this.#shown?.pending.request.id === pending.request.id;
    const queued = this.#queue.of(pending);
    if (queued === undefined) return;
    if (this.#options.isTyping()) this.#changedWhileTyping = true;
    if (wasShown) this.#show(queued);
  }

  #showCurrent(): void {
    const { current } = this.#queue;
    if (current !== undefined && current !== this.#shown) this.#show(current);
  }

  #announce(queued: QueuedDiff): void {
    const count = this.#queue.all.length;
    const { screen, palette } = this.#options;
    if (count <= MAX_ANNOUNCED) {
      screen.print(line`${this.#headline(queued)} ${palette.dim("(waits its turn)")}`);
    } else if (count === MAX_ANNOUNCED + 1) {
      screen.print(line`More diffs are pending than are shown: type diffs to list them.`);
    }
  }

  #closed(pending: PendingDiff, outcome: DiffOutcome, by: DiffEndedBy): void {
    const queued = this.#queue.of(pending);
    if (queued === undefined) return;
    const verdict = this.#verdict(queued, outcome, by);
    if (outcome.kind !== "cancelled") this.#options.screen.print(verdict);
    else if (this.#options.isTyping()) this.#changedWhileTyping = true;
    // Often several diffs and then their agent disappear at once: show the rest afterwards.
    setImmediate(() => {
      if (outcome.kind === "cancelled") this.#options.screen.print(verdict);
      this.#showCurrent();
    });
  }

  #verdict({ pending, number }: QueuedDiff, outcome: DiffOutcome, by: DiffEndedBy): Printable {
    const { palette } = this.#options;
    const file = shorten(this.#nameOf(pending), 200);
    if (by !== "terminal") {
      return line`Diff ${number} of ${file} ${describeDiffEnd(outcome.kind, by)}.`;
    }
    switch (outcome.kind) {
      case "accepted": {
        const how = outcome.edited ? " with your changes" : "";
        return line`${palette.good("Accepted")} ${file}${how}; the agent writes it.`;
      }
      default:
        return line`${palette.bad("Rejected")} ${file}.`;
    }
  }

  #findToAnswer(number: string): QueuedDiff {
    if (this.#changedWhileTyping) {
      throw new Error(
        "A diff was closed while you typed. Check the list, then repeat the command.",
      );
    }
    this.#showCurrent();
    return this.#queue.find(number);
  }

  #show(queued: QueuedDiff): void {
    this.#shown = queued;
    const { screen, palette } = this.#options;
    const { request, unreadable, notes = [] } = queued.pending;
    const conflicts = describeConflicts(queued.pending);
    const facts = [
      ...(conflicts === undefined ? [] : [palette.alarm(conflicts)]),
      ...notes.map(palette.alarm),
      ...warnOfHidden(queued.pending, palette),
      palette.dim(shorten(request.title, screen.width - 8)),
      ...(request.outsideWorkspace ? [palette.alarm("OUTSIDE THE FOLDER that you serve")] : []),
      ...(unreadable === undefined ? [] : [line`not shown: ${unreadable}`]),
      ...(request.oldPath === request.path
        ? []
        : [line`compared with ${toNativePath(request.oldPath, platform)}`]),
      ...queued.diff.notes.map(palette.warning),
    ];
    const { added, removed } = queued.diff;
    // The added lines of a file that cannot be shown are unknown.
    const counts =
      unreadable === undefined
        ? line`${palette.good(`+${added}`)} ${palette.bad(`-${removed}`)}`
        : "";
    screen.print(
      line``,
      line`${this.#headline(queued)}  ${counts}`,
      ...facts.map((fact) => line`      ${fact}`),
      ...this.#nextPage(queued),
    );
  }

  #nextPage(queued: QueuedDiff): readonly Printable[] {
    const { screen, palette } = this.#options;
    const { rows } = queued.diff;
    const page = rows.slice(queued.shownRows, queued.shownRows + screen.pageLength);
    queued.shownRows += page.length;
    const left = rows.length - queued.shownRows;
    return [
      ...drawRows(page, rows.lastNumber, palette),
      ...(left > 0 ? [palette.warning(`    … ${left} more lines: type more`)] : []),
      palette.dim(
        `    accept, edit or reject?${rows.hunks > 1 ? " Or review it, hunk by hunk." : ""}`,
      ),
    ];
  }

  /** `[1/3] Claude Code (s1) proposes to change notes/plan.md` */
  #headline(queued: QueuedDiff): Printable {
    const { palette, screen } = this.#options;
    const { pending } = queued;
    const agent = this.#options.agentOf(pending.request.session);
    const isNew = pending.current === undefined && pending.unreadable === undefined;
    const verb = isNew ? "create" : "change";
    const label = this.#queue.labelOf(queued);
    const file = shorten(this.#nameOf(pending), Math.max(40, screen.width - 20));
    return line`${palette.bold(label)} ${agent} proposes to ${verb} ${palette.bold(file)}`;
  }

  /** Relative to the folder; a file outside has its whole path. */
  #nameOf({ request }: PendingDiff): string {
    if (request.outsideWorkspace) return toNativePath(request.path, platform);
    return relativeTo(this.#options.host.folder, request.path);
  }
}
