import { asWritten, type DiffId } from "@idewire/core/internal";
import type { FolderHost, PendingDiff } from "../../../folder-host/folder-host.ts";
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

/** An editor whose diffs are reviewed. */
export type ReviewedEditor = Pick<FolderHost, "folder" | "pendingDiffs" | "onDiff">;

/** The pending diffs of the editor in the person's order; the first is the current one. */
export class DiffQueue {
  readonly #editor: Pick<ReviewedEditor, "pendingDiffs" | "onDiff">;
  /** A diff that is compared with another text is another object, with its old number. */
  readonly #queued = new WeakMap<PendingDiff, QueuedDiff>();
  readonly #numbers = new Map<DiffId, number>();
  #lastNumber: number;
  /** The diff shown last. */
  #drawn: { readonly queued: QueuedDiff; readonly diff: TextDiff } | undefined;

  /**
   * Create it before other listeners of the editor's diffs, which ask it for numbers. It lives as long as the editor.
   * @param first the number of the first diff
   */
  constructor(editor: Pick<ReviewedEditor, "pendingDiffs" | "onDiff">, first = 1) {
    this.#editor = editor;
    this.#lastNumber = first - 1;
    for (const pending of editor.pendingDiffs) this.#number(pending);
    editor.onDiff("diffOpened", (pending) => {
      if (editor.pendingDiffs.length <= 1) this.#lastNumber = 0;
      this.#number(pending);
    });
    editor.onDiff("diffChanged", (pending) => {
      const number = this.#numbers.get(pending.request.id);
      if (number !== undefined) this.#add(pending, number);
    });
    editor.onDiff("diffClosed", ({ request: { id } }) => {
      this.#numbers.delete(id);
      // Rendered rows take more memory than the texts.
      if (this.#drawn?.queued.pending.request.id === id) this.#drawn = undefined;
    });
  }

  get all(): readonly QueuedDiff[] {
    return this.#editor.pendingDiffs.flatMap((pending) => this.of(pending) ?? []);
  }

  get current(): QueuedDiff | undefined {
    return this.all[0];
  }

  /** `[2/3]`: its number, and how many have arrived since none was pending. */
  labelOf({ number }: QueuedDiff): string {
    return this.#lastNumber === 1 ? "[1]" : `[${number}/${this.#lastNumber}]`;
  }

  /** A diff with its number, also while its end is reported. */
  of(pending: PendingDiff): QueuedDiff | undefined {
    return this.#queued.get(pending);
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

  #number(pending: PendingDiff): void {
    this.#lastNumber += 1;
    this.#numbers.set(pending.request.id, this.#lastNumber);
    this.#add(pending, this.#lastNumber);
  }

  #add(pending: PendingDiff, number: number): void {
    const draw = () => this.#draw(queued);
    const queued: QueuedDiff = {
      number,
      pending,
      get diff() {
        return draw();
      },
      shownRows: 0,
    };
    this.#queued.set(pending, queued);
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
