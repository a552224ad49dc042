import { Emitter, type Unsubscribe } from "@idewire/core";
import {
  historyBounds,
  outdated,
  type PastReview,
  type RecordTexts,
  type ReviewOutcome,
  type ReviewRecord,
} from "./record.ts";
import type { HistoryStore } from "./store.ts";

/** What the history needs of the world. */
export interface HistoryParts {
  /** Opened when it is first needed. */
  readonly openStore: () => Promise<HistoryStore>;
  readonly nowMs: () => number;
  /** How long a review is kept; 0 keeps none. */
  readonly days: () => number;
  /** Hears, once, that nothing can be kept. */
  readonly onerror: (error: unknown) => void;
}

/** Remembers what was proposed and what became of it: on this device, for a while. */
export class ReviewHistory {
  readonly #parts: HistoryParts;
  readonly #events = new Emitter<{ change(): void }>();
  #store: Promise<HistoryStore> | undefined;
  /** Writes happen in the order in which they were asked for. */
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
    const texts = await (await this.#open())?.texts(id);
    return { record, ...(texts !== undefined && { texts }) };
  }

  /** @param texts left out for a note whose text may not be kept */
  begin(about: Omit<ReviewRecord, "fate" | "size" | "openedMs">, texts?: RecordTexts): void {
    if (!this.isOn) return;
    const openedMs = this.#parts.nowMs();
    const record = { ...about, openedMs, fate: "waiting" as const, size: sizeOf(texts) };
    this.#write((store) => store.put(record, texts));
  }

  /**
   * @param fate what became of it; while it waits, what the person works on is kept so
   * @param result what the person has made of it
   */
  finish(id: string, fate: ReviewOutcome, result: string): void {
    this.#write(async (store) => {
      const record = (await store.list()).find((one) => one.id === id);
      if (record === undefined) return;
      const known = await store.texts(id);
      const texts = known === undefined ? undefined : { ...known, result };
      await store.put({ ...record, fate, size: sizeOf(texts) }, texts);
      await this.#forgetOutdated(store);
    });
  }

  /** What waited when Obsidian was closed waits no more. */
  expireAll(): void {
    this.#write(async (store) => {
      for (const record of await store.list()) {
        if (record.fate === "waiting") await store.put({ ...record, fate: "expired" });
      }
      await this.#forgetOutdated(store);
    });
  }

  remove(id: string): void {
    this.#write((store) => store.remove([id]));
  }

  /** What still waits stays. */
  clear(): void {
    this.#write(async (store) => {
      const past = (await store.list()).filter(({ fate }) => fate !== "waiting");
      await store.remove(past.map(({ id }) => id));
    });
  }

  async close(): Promise<void> {
    await this.#queue;
    (await this.#store?.catch(() => undefined))?.close();
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
