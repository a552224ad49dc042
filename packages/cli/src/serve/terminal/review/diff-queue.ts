import { asWritten, type DiffId } from "@idewire/core/internal";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";
import { diffTexts, type TextDiff } from "../diff/text-diff.ts";

/** A proposal that waits, with the number that the person calls it by. */
export interface QueuedDiff {
  /** From 1; it stays the same while the diff waits, whatever becomes of others. */
  readonly number: number;
  readonly pending: PendingDiff;
  /** Worked out when it is asked for: hundreds may wait, and only one is looked at. */
  readonly diff: TextDiff;
  /** How many rows of the diff have been shown. */
  shownRows: number;
}

/** How the person sees the proposals that wait in the editor; the first one is the current one. */
export class DiffQueue {
  readonly #waiting: () => readonly PendingDiff[];
  readonly #queued = new Map<DiffId, QueuedDiff>();
  #lastNumber = 0;
  /** The one that was looked at last. */
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

  /** `[2/3]`: its number, and how many have come since none waited. */
  labelOf({ number }: QueuedDiff): string {
    return this.#lastNumber === 1 ? "[1]" : `[${number}/${this.#lastNumber}]`;
  }

  /** Numbers one more that waits. */
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
   * The one that a command means: by number, or the current one.
   * @throws Error that says which ones wait
   */
  find(number: string): QueuedDiff {
    const { current } = this;
    if (current === undefined) throw new Error("No diff is waiting.");
    if (number === "") return current;
    const found = this.all.find((diff) => String(diff.number) === number);
    if (found !== undefined) return found;
    const numbers = this.all.map((diff) => diff.number).join(", ");
    throw new Error(`There is no diff ${number}; these are waiting: ${numbers}.`);
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
    // A file that cannot be shown is there all the same.
    const before = current ?? (unreadable === undefined ? undefined : "");
    const diff = diffTexts(before, asWritten(before ?? "", request.proposed));
    this.#drawn = { queued, diff };
    return diff;
  }
}
