/** How long a person may go on typing before the text leaves. */
const PAUSE_MS = 150;

/** Tells the folder what is typed: one text of a file at a time, and always the newest. */
export class TypedTexts {
  readonly #send: (path: string, text: string) => Promise<unknown>;
  /** By path, until the folder has it. */
  readonly #texts = new Map<string, string>();
  readonly #timers = new Map<string, number>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(send: (path: string, text: string) => Promise<unknown>) {
    this.#send = send;
  }

  get(path: string): string | undefined {
    return this.#texts.get(path);
  }

  set(path: string, text: string): void {
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
    const sending = this.#send(path, text).then(
      () => {
        this.#sending.delete(path);
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
