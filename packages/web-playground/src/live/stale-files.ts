import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** A file with unsaved text that has changed on disk. */
export interface StaleFile {
  readonly path: string;
  /** The message to the person about it. */
  readonly words: string;
}

/** The stale files, about which the person decides one by one. */
export class StaleFiles {
  readonly #all: Signal<readonly StaleFile[]> = signal([]);
  /** The one to decide about now. */
  readonly first: ReadonlySignal<StaleFile | undefined> = computed(() => this.#all.value[0]);

  /** Shows a file before all others. */
  add(file: StaleFile): void {
    this.#all.value = [file, ...this.#without(file.path)];
  }

  remove(path: string): void {
    this.#all.value = this.#without(path);
  }

  clear(): void {
    this.#all.value = [];
  }

  #without(path: string): readonly StaleFile[] {
    return this.#all.peek().filter((each) => each.path !== path);
  }
}
