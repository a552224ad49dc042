import { isObject } from "@idewire/core/internal";
import type { TracedMessage } from "../conversation/conversation.ts";

/** A diff that waits for its answer. */
interface OpenDiff {
  readonly n: number;
  readonly ch: string;
  readonly tab: unknown;
}

/** Which diffs their agent has closed before they were answered: their answers are not the person's. */
export class WithdrawnDiffs {
  #open: readonly OpenDiff[] = [];
  /** The numbers of the calls that closed them, by the numbers of their requests. */
  readonly #withdrawn = new Map<number, number>();

  /** Processes the next message, of event number `n`. */
  add(n: number, ch: string, { kind, tool, value, request }: TracedMessage): void {
    if (kind === "result" || kind === "error") this.#forget(request?.n);
    if (kind !== "request") return;
    const tab = tabOf(value.params);
    if (tool === "openDiff") this.#open = [...this.#open, { n, ch, tab }];
    const isClosed = (diff: OpenDiff): boolean =>
      diff.ch === ch && (tool === "closeAllDiffTabs" || (tool === "close_tab" && diff.tab === tab));
    for (const diff of this.#open.filter(isClosed)) this.#withdrawn.set(diff.n, n);
    this.#open = this.#open.filter((diff) => !isClosed(diff));
  }

  /** The number of the call that closed the diff of request number `n`; undefined if none did. */
  callOf(n: number): number | undefined {
    return this.#withdrawn.get(n);
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    this.#open = this.#open.filter(({ n }) => n >= first);
    for (const n of this.#withdrawn.keys()) if (n < first) this.#withdrawn.delete(n);
  }

  #forget(answered: number | undefined): void {
    this.#open = this.#open.filter(({ n }) => n !== answered);
  }
}

function tabOf(params: unknown): unknown {
  const fields = isObject(params) ? params["arguments"] : undefined;
  return isObject(fields) ? fields["tab_name"] : undefined;
}
