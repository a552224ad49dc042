/** How long a person may go on typing before the text leaves. */
const PAUSE_MS = 150;

/** @param over the text of the folder that was typed over */
type SendText = (path: string, text: string, over: string | undefined) => Promise<unknown>;

/** Tells the folder what is typed: one text of a file at a time, and always the newest. */
export class TypedTexts {
  readonly #send: SendText;
  /** By path, until the folder has it. */
  readonly #texts = new Map<string, string>();
  /** By path, what the folder had as its text when the typing began. */
  readonly #over = new Map<string, string | undefined>();
  readonly #timers = new Map<string, number>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(send: SendText) {
    this.#send = send;
  }

  get(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** @param shown what the folder has told of the file so far */
  set(path: string, text: string, shown: string | undefined): void {
    if (!this.#texts.has(path)) this.#over.set(path, shown);
    this.#texts.set(path, text);
    window.clearTimeout(this.#timers.get(path));
    this.#timers.set(
      path,
      window.setTimeout(() => void this.flush(path), PAUSE_MS),
    );
  }

  /** What was thrown away needs not be told. */
  drop(path: string): void {
    window.clearTimeout(this.#timers.get(path));
    this.#texts.delete(path);
  }

  /** Settles when the folder has the newest text of a file, or cannot be told it. */
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

  /** Before the page goes, and after the folder came back. */
  flushAll(): void {
    for (const path of this.#texts.keys()) void this.flush(path);
  }
}
