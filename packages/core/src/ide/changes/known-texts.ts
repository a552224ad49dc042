/** In UTF-16 units, of all texts together: the most recently used ones are stored. */
const MAX_SIZE = 32 * 1024 * 1024;

/** Longer texts are not stored. */
const MAX_LENGTH = 1024 * 1024;

/** The known content of a path: a text, or no file. */
export type KnownText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" };

/** The texts of files as they were last seen on disk, by path, in memory and bounded. */
export class KnownTexts {
  readonly #texts = new Map<string, KnownText>();
  readonly #maxSize: number;
  #size = 0;

  constructor(maxSize: number = MAX_SIZE) {
    this.#maxSize = maxSize;
  }

  /** Whether another text would evict others. */
  get isFull(): boolean {
    return this.#size >= this.#maxSize;
  }

  get(path: string): KnownText | undefined {
    return this.#texts.get(path);
  }

  /** A text that cannot be stored is discarded: an older one would be wrong. */
  set(path: string, text: KnownText | { readonly kind: "unreadable" }): void {
    this.delete(path);
    if (text.kind === "unreadable" || sizeOf(text) > MAX_LENGTH) return;
    this.#texts.set(path, text);
    this.#size += sizeOf(text);
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    const known = this.#texts.get(path);
    if (known !== undefined) this.#size -= sizeOf(known);
    this.#texts.delete(path);
  }

  renamed(from: string, to: string): void {
    const known = this.#texts.get(from);
    this.delete(from);
    if (known !== undefined) this.set(to, known);
  }

  /** Discards the texts of all paths for which `isForgotten` is true. */
  forget(isForgotten: (path: string) => boolean): void {
    for (const path of [...this.#texts.keys()]) if (isForgotten(path)) this.delete(path);
  }
}

function sizeOf(text: KnownText): number {
  return text.kind === "text" ? text.text.length : 0;
}
