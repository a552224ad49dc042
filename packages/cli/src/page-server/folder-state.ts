import { CloseCode } from "@idewire/core/rpc";
import type { EditorChange, SentState } from "@idewire/devtools/internal";
import type { TraceEvent, TraceFact } from "@idewire/devtools/trace";
import type { FolderLog } from "./folder-log.ts";

/** The end of a connection that the page missed. */
function closed(ch: string): TraceFact {
  return { ev: "close", ch, code: CloseCode.Abnormal, reason: "at an unknown time" };
}

/** How a review ended. */
type ReviewEnd = Omit<Extract<EditorChange, { readonly kind: "review-closed" }>, "kind" | "id">;

/** The difference between the editor's state and a page's: additions and removals. */
export class FolderState implements SentState {
  readonly #folder: FolderLog;
  /** The paths of the tabs that the page shows as open. */
  readonly #tabs = new Set<string>();
  /** The connections that the page shows as open. */
  readonly #open = new Set<string>();
  /** The reviews that the page shows as open: the text it compares with, and how each has ended since. */
  readonly #reviews = new Map<string, { readonly original: string; readonly end: ReviewEnd }>();

  constructor(folder: FolderLog) {
    this.#folder = folder;
  }

  async now(): Promise<readonly TraceEvent[]> {
    const { log } = this.#folder;
    const facts = await this.#folder.current();
    const changes = facts.flatMap((fact) => (fact.ev === "editor" ? [fact.change] : []));
    const stamp = { n: 0, t: log.nowMs };
    const sent = [...this.#gone(changes), ...changes.filter((change) => !this.#knows(change))];
    return [
      ...facts.filter((fact) => fact.ev === "open" && !this.#open.has(fact.ch)),
      ...[...this.#open].filter((ch) => !this.#folder.isOpen(ch)).map(closed),
      ...sent.map((change): TraceFact => ({ ev: "editor", change })),
    ].map((fact) => ({ ...stamp, ...fact }));
  }

  emit(event: TraceEvent): void {
    if (event.ev === "open") this.#open.add(event.ch);
    if (event.ev === "close") this.#open.delete(event.ch);
    if (event.ev !== "editor") return;
    const { change } = event;
    switch (change.kind) {
      case "opened":
        this.#tabs.add(change.path);
        break;
      case "closed":
        this.#tabs.delete(change.path);
        break;
      case "review-opened":
        this.#reviews.set(change.id, {
          original: change.original,
          end: { outcome: "cancelled" },
        });
        break;
      case "review-closed":
        this.#reviews.delete(change.id);
        break;
      default:
    }
  }

  /** Closes everything that the page shows as open but the current state lacks: the page missed its end. */
  #gone(changes: readonly EditorChange[]): readonly EditorChange[] {
    const tabs = new Set<string>();
    const reviews = new Set<string>();
    for (const change of changes) {
      if (change.kind === "opened") tabs.add(change.path);
      if (change.kind === "review-opened") reviews.add(change.id);
    }
    const closed = [...this.#tabs].filter((path) => !tabs.has(path));
    const answered = [...this.#reviews].filter(([id]) => !reviews.has(id));
    return [
      ...closed.map((path): EditorChange => ({ kind: "closed", path })),
      ...answered.map(([id, { end }]): EditorChange => ({ kind: "review-closed", id, ...end })),
    ];
  }

  /** A review that the page already shows, compared with the same text, is not opened again. */
  #knows(change: EditorChange): boolean {
    if (change.kind !== "review-opened") return false;
    return this.#reviews.get(change.id)?.original === change.original;
  }

  /** Remembers how a review ended, in case the page misses that event. */
  receive(event: TraceEvent): void {
    if (event.ev !== "editor" || event.change.kind !== "review-closed") return;
    const { kind: _, id, ...end } = event.change;
    const known = this.#reviews.get(id);
    if (known !== undefined) this.#reviews.set(id, { ...known, end });
  }
}
