import type { PosixPath, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import {
  decidedOutcome,
  historyBounds,
  outdated,
  type PastReview,
  type RecordTexts,
  type ReviewOutcome,
  type ReviewRecord,
} from "./record.ts";
import type { HistoryStore } from "./store.ts";

/** The dependencies of the history. */
export interface HistoryParts {
  /** Opened when it is first needed. */
  readonly openStore: () => Promise<HistoryStore>;
  readonly nowMs: () => number;
  /** How many days a review is stored; 0 stores none. */
  readonly days: () => number;
  /** Whether the texts of this note must not be stored. */
  readonly isExcluded: (path: PosixPath) => boolean;
  /** Called once, when nothing can be stored. */
  readonly onerror: (error: unknown) => void;
}

/** Stores proposals and their outcomes on this device, for some days. */
export class ReviewHistory {
  readonly #parts: HistoryParts;
  readonly #events = new Emitter<{ change(): void }>();
  #store: Promise<HistoryStore> | undefined;
  /** Writes run in the order of their calls. */
  #queue: Promise<unknown> = Promise.resolve();
  #hasFailed = false;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.days() > 0;
  }

  on(event: "change", listener: () => void): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Newest first. */
  async list(): Promise<readonly ReviewRecord[]> {
    await this.#queue;
    const records = (await (await this.#open())?.list()) ?? [];
    return [...records].sort((a, b) => b.openedMs - a.openedMs);
  }

  async find(id: string): Promise<PastReview | undefined> {
    const record = (await this.list()).find((one) => one.id === id);
    if (record === undefined) return undefined;
    if (this.#parts.isExcluded(record.path)) return { record };
    const texts = await (await this.#open())?.texts(id);
    return { record, ...(texts !== undefined && { texts }) };
  }

  /** @param texts left out for a note whose text may not be kept */
  begin(about: Omit<ReviewRecord, "outcome" | "size" | "openedMs">, texts?: RecordTexts): void {
    if (!this.isOn) return;
    const openedMs = this.#parts.nowMs();
    const record = { ...about, openedMs, outcome: "waiting" as const, size: sizeOf(texts) };
    this.#write((store) => store.put(record, texts));
  }

  /**
   * @param outcome `waiting` stores the draft so far
   * @param result the text of the draft
   */
  finish(id: string, outcome: ReviewOutcome, result: string): void {
    this.#write(async (store) => {
      const record = (await store.list()).find((one) => one.id === id);
      if (record === undefined) return;
      const known = await store.texts(id);
      const texts = known === undefined ? undefined : { ...known, result };
      await store.put({ ...record, outcome, size: sizeOf(texts) }, texts);
      await this.#forgetOutdated(store);
    });
  }

  /** Reviews that were pending when Obsidian closed have expired. */
  expireAll(): void {
    this.#write(async (store) => {
      for (const record of await store.list()) {
        if (record.outcome === "waiting") await store.put({ ...record, outcome: "expired" });
      }
      await this.#forgetOutdated(store);
    });
  }

  /** Notes may have been excluded since their texts were kept. */
  dropExcluded(): void {
    this.#write(async (store) => {
      const kept = (await store.list()).filter(({ size }) => size > 0);
      for (const record of kept) {
        if (this.#parts.isExcluded(record.path)) await store.dropTexts(record);
      }
    });
  }

  /** Records an edit that was written without a review; `proposed` is the written text. */
  addUnreviewed(
    about: Omit<ReviewRecord, "outcome" | "size" | "openedMs">,
    texts: RecordTexts,
  ): void {
    if (!this.isOn) return;
    const openedMs = this.#parts.nowMs();
    this.#write(async (store) => {
      // Excluded in the meantime.
      if (this.#parts.isExcluded(about.path)) return;
      const outcome = "unreviewed" as const;
      await store.put({ ...about, openedMs, outcome, size: sizeOf(texts) }, texts);
      await this.#forgetOutdated(store);
    });
  }

  /** Sets the agent that has written it, if known, and its turn. */
  attribute(
    id: string,
    { agent, turn }: { readonly agent?: string; readonly turn?: string },
  ): void {
    const named = { ...(agent !== undefined && { agent }), ...(turn !== undefined && { turn }) };
    this.#change(id, (record) => ({ ...record, ...named }));
  }

  /** The person has decided about hunks of an edit without a review. */
  decided(id: string, texts: RecordTexts): void {
    this.#write(async (store) => {
      const record = (await store.list()).find((one) => one.id === id);
      if (record === undefined) return;
      await store.put({ ...record, outcome: decidedOutcome(texts), size: sizeOf(texts) }, texts);
    });
  }

  /** The undecided edits of a turn, the newest first. */
  async ofTurn(turn: string): Promise<readonly PastReview[]> {
    const records = (await this.list()).filter(
      (each) => each.turn === turn && each.outcome === "unreviewed",
    );
    const found = await Promise.all(records.map(({ id }) => this.find(id)));
    return found.flatMap((past) => past ?? []);
  }

  /** A note or a folder was renamed. */
  renamed(from: PosixPath, to: PosixPath, nameOf: (path: PosixPath) => string): void {
    this.#write(async (store) => {
      for (const record of await store.list()) {
        if (record.path !== from && !record.path.startsWith(`${from}/`)) continue;
        const path = `${to}${record.path.slice(from.length)}` as PosixPath;
        await store.put({ ...record, path, name: nameOf(path) });
      }
    });
  }

  remove(id: string): void {
    this.#write((store) => store.remove([id]));
  }

  /** Pending reviews stay. */
  clear(): void {
    this.#write(async (store) => {
      const past = (await store.list()).filter(({ outcome }) => outcome !== "waiting");
      await store.remove(past.map(({ id }) => id));
    });
  }

  async close(): Promise<void> {
    await this.#queue;
    (await this.#store?.catch(() => undefined))?.close();
  }

  #change(id: string, change: (record: ReviewRecord) => ReviewRecord): void {
    this.#write(async (store) => {
      const record = (await store.list()).find((one) => one.id === id);
      if (record !== undefined) await store.put(change(record));
    });
  }

  async #forgetOutdated(store: HistoryStore): Promise<void> {
    const bounds = { ...historyBounds, days: this.#parts.days() };
    await store.remove(outdated(await store.list(), bounds, this.#parts.nowMs()));
  }

  #write(change: (store: HistoryStore) => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      try {
        const store = await this.#open();
        if (store !== undefined) await change(store);
      } catch (error) {
        this.#fail(error);
      }
      this.#events.emit("change");
    });
  }

  async #open(): Promise<HistoryStore | undefined> {
    try {
      this.#store ??= this.#parts.openStore();
      return await this.#store;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#parts.onerror(error);
    this.#hasFailed = true;
  }
}

function sizeOf(texts: RecordTexts | undefined): number {
  if (texts === undefined) return 0;
  return (texts.before?.length ?? 0) + texts.proposed.length + (texts.result?.length ?? 0);
}
