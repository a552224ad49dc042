import { asWritten, type DiffId } from "@idewire/core/internal";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";
import { diffTexts, type TextDiff } from "../diff/text-diff.ts";

/** A pending diff, with its number for the person. */
export interface QueuedDiff {
  /** From 1; stays the same while the diff is pending. */
  readonly number: number;
  readonly pending: PendingDiff;
  /** Computed on demand: hundreds may be pending, and only one is shown. */
  readonly diff: TextDiff;
  /** The number of rows shown so far. */
  shownRows: number;
}

/** The pending diffs of the editor in the person's order; the first is the current one. */
export class DiffQueue {
  readonly #waiting: () => readonly PendingDiff[];
  readonly #queued = new Map<DiffId, QueuedDiff>();
  #lastNumber = 0;
  /** The diff shown last. */
  #drawn: { readonly queued: QueuedDiff; readonly diff: TextDiff } | undefined;

  /** @param waiting the editor's list, in order; the queue follows its events */
  constructor(waiting: () => readonly PendingDiff[]) {
    this.#waiting = waiting;
  }

  get all(): readonly QueuedDiff[] {
    return this.#waiting().flatMap(({ request }) => this.#queued.get(request.id) ?? []);
  }

  get current(): QueuedDiff | undefined {
    return this.all[0];
  }

  /** `[2/3]`: its number, and how many have arrived since none was pending. */
  labelOf({ number }: QueuedDiff): string {
    return this.#lastNumber === 1 ? "[1]" : `[${number}/${this.#lastNumber}]`;
  }

  /** Numbers a new pending diff. */
  opened(pending: PendingDiff): QueuedDiff {
    if (this.#waiting().length <= 1) this.#lastNumber = 0;
    this.#lastNumber += 1;
    return this.#add(pending, this.#lastNumber);
  }

  /** A diff is compared with another text: it has its old number. */
  changed(pending: PendingDiff): QueuedDiff | undefined {
    const before = this.closed(pending);
    return before && this.#add(pending, before.number);
  }

  /** A diff is no longer pending: frees its rendered rows. */
  closed(pending: PendingDiff): QueuedDiff | undefined {
    const queued = this.#queued.get(pending.request.id);
    this.#queued.delete(pending.request.id);
    if (this.#drawn?.queued === queued) this.#drawn = undefined;
    return queued;
  }

  /**
   * The diff of a command: by number, or the current one.
   * @throws Error with the numbers of the pending ones
   */
  find(number: string): QueuedDiff {
    const { current } = this;
    if (current === undefined) throw new Error("No diff is pending.");
    if (number === "") return current;
    const found = this.all.find((diff) => String(diff.number) === number);
    if (found !== undefined) return found;
    const numbers = this.all.map((diff) => diff.number).join(", ");
    throw new Error(`There is no diff ${number}; pending: ${numbers}.`);
  }

  #add(pending: PendingDiff, number: number): QueuedDiff {
    const draw = () => this.#draw(queued);
    const queued: QueuedDiff = {
      number,
      pending,
      get diff() {
        return draw();
      },
      shownRows: 0,
    };
    this.#queued.set(pending.request.id, queued);
    return queued;
  }

  #draw(queued: QueuedDiff): TextDiff {
    if (this.#drawn?.queued === queued) return this.#drawn.diff;
    const { request, current, unreadable } = queued.pending;
    // A file that cannot be shown exists nevertheless.
    const before = current ?? (unreadable === undefined ? undefined : "");
    const diff = diffTexts(before, asWritten(before ?? "", request.proposed));
    this.#drawn = { queued, diff };
    return diff;
  }
}
