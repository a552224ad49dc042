import { type EditOptions, mergeTyped } from "@idewire/core/internal";

/** The pause in typing after which the text is sent. */
const PAUSE_MS = 150;
/** The longest time that typed text waits for a pause. */
const MAX_WAIT_MS = 450;

/** How typed text reaches the folder. */
export interface TypedTextOptions {
  /** Sends a text; rejects if the folder does not have it. */
  send(path: string, text: string, options: EditOptions): Promise<unknown>;
  /** The text of a file as the folder last sent it. */
  shown(path: string): string | undefined;
  /** Called when the text to show may be another one, although the folder has sent none since. */
  onsettled(): void;
}

/** A change of a text by the person, which may be based on an older text than the newest. */
export interface TypedChange {
  readonly before: string;
  readonly text: string;
}

/** The typed text of a file, until the folder has confirmed it. */
interface TypedText {
  text: string;
  /** The text of the folder that it replaces. */
  over: string | undefined;
  /** The time since which it is waiting to be sent. */
  sinceMs: number | undefined;
  timer: number | undefined;
  sending: Promise<void> | undefined;
}

/**
 * Sends typed text to the folder: one text of a file at a time, and always the newest. Text that another page has
 * typed meanwhile is combined with it.
 */
export class TypedTexts {
  readonly #options: TypedTextOptions;
  readonly #texts = new Map<string, TypedText>();
  #restored = Promise.resolve();

  constructor(options: TypedTextOptions) {
    this.#options = options;
  }

  get(path: string): string | undefined {
    return this.#texts.get(path)?.text;
  }

  type(path: string, { before, text }: TypedChange): void {
    const typed = this.#texts.get(path);
    const shown = typed === undefined ? this.#options.shown(path) : typed.text;
    this.#set(path, shown === undefined ? text : mergeTyped(before, text, shown), shown);
  }

  /** Holds typed text back until lost text has been restored in the folder. */
  hold(restored: Promise<void>): void {
    this.#restored = restored;
  }

  /** Sends text that the folder has lost, even while typed text is held back, which follows it. */
  async restore(path: string, text: string, over: string): Promise<void> {
    const isSent = await this.#isSent(path, text, { over, restores: true });
    const typed = this.#texts.get(path);
    if (!isSent && typed === undefined) this.#set(path, text, over);
    // The text left by an earlier attempt was typed over the one restored now.
    if (isSent && typed?.over === over) typed.over = text;
  }

  /** Combines the typed text with a text that another page has typed. */
  receive(path: string, text: string): void {
    const typed = this.#texts.get(path);
    // Whether this text contains the one being sent is clear only after its answer.
    if (typed?.over === undefined || typed.sending !== undefined) return;
    typed.text = mergeTyped(typed.over, typed.text, text);
    typed.over = text;
  }

  /** Discards the text of a file that was reverted. */
  drop(path: string): void {
    window.clearTimeout(this.#texts.get(path)?.timer);
    this.#texts.delete(path);
  }

  /** Settles when the folder has the newest text of a file, or sending has failed. */
  async flush(path: string): Promise<void> {
    await this.#restored;
    await this.#flush(path);
  }

  /** Called before the page is closed, and after a reconnection. */
  flushAll(): void {
    for (const path of this.#texts.keys()) void this.flush(path);
  }

  async #flush(path: string): Promise<void> {
    await this.#texts.get(path)?.sending;
    const typed = this.#texts.get(path);
    if (typed === undefined || typed.sending !== undefined) return;
    window.clearTimeout(typed.timer);
    typed.sinceMs = undefined;
    typed.sending = this.#send(path, typed);
    await typed.sending;
  }

  async #send(path: string, typed: TypedText): Promise<void> {
    const { text, over } = typed;
    const isSent = await this.#isSent(path, text, over === undefined ? {} : { over });
    typed.sending = undefined;
    if (!isSent || this.#texts.get(path) !== typed) return;
    typed.over = text;
    if (typed.text === text) this.#texts.delete(path);
    const shown = this.#options.shown(path);
    if (shown !== undefined) this.receive(path, shown);
    this.#options.onsettled();
  }

  #isSent(path: string, text: string, options: EditOptions): Promise<boolean> {
    return this.#options.send(path, text, options).then(
      () => true,
      () => false,
    );
  }

  #set(path: string, text: string, over: string | undefined): void {
    const now = performance.now();
    const none: TypedText = {
      ...{ text, over, sinceMs: undefined, timer: undefined, sending: undefined },
    };
    const typed = this.#texts.get(path) ?? none;
    this.#texts.set(path, typed);
    typed.text = text;
    typed.sinceMs ??= now;
    window.clearTimeout(typed.timer);
    const waitMs = Math.min(PAUSE_MS, typed.sinceMs + MAX_WAIT_MS - now);
    typed.timer = window.setTimeout(() => void this.flush(path), Math.max(0, waitMs));
  }
}
