/** The pause in typing after which the text is sent. */
const PAUSE_MS = 150;

/** @param over the text of the folder that is replaced */
type SendText = (path: string, text: string, over: string | undefined) => Promise<unknown>;

/** Sends typed text to the folder: one text of a file at a time, and always the newest. */
export class TypedTexts {
  readonly #send: SendText;
  /** By path, until the folder has confirmed it. */
  readonly #texts = new Map<string, string>();
  /** By path, the text of the folder when the typing began. */
  readonly #over = new Map<string, string | undefined>();
  readonly #timers = new Map<string, number>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(send: SendText) {
    this.#send = send;
  }

  get(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** @param shown the text of the file as the folder last sent it */
  set(path: string, text: string, shown: string | undefined): void {
    if (!this.#texts.has(path)) this.#over.set(path, shown);
    this.#texts.set(path, text);
    window.clearTimeout(this.#timers.get(path));
    this.#timers.set(
      path,
      window.setTimeout(() => void this.flush(path), PAUSE_MS),
    );
  }

  /** Discards the text of a file that was reverted. */
  drop(path: string): void {
    window.clearTimeout(this.#timers.get(path));
    this.#texts.delete(path);
  }

  /** Settles when the folder has the newest text of a file, or sending has failed. */
  async flush(path: string): Promise<void> {
    await this.#sending.get(path);
    const text = this.#texts.get(path);
    if (text === undefined) return;
    window.clearTimeout(this.#timers.get(path));
    const sending = this.#send(path, text, this.#over.get(path)).then(
      () => {
        this.#sending.delete(path);
        this.#over.set(path, text);
        if (this.#texts.get(path) === text) this.#texts.delete(path);
      },
      () => void this.#sending.delete(path),
    );
    this.#sending.set(path, sending);
    await sending;
  }

  /** Called before the page is closed, and after a reconnection. */
  flushAll(): void {
    for (const path of this.#texts.keys()) void this.flush(path);
  }
}
