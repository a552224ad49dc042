import type { EditorHost, HostEvents, PosixPath, Selection } from "@idewire/core";
import { Emitter } from "@idewire/core";

/** The notification of the fan-out, as sent to Claude Code. */
export const SELECTION_METHOD = "selection_changed";

const FILE = "/vault/notes/a.md" as PosixPath;
const range = { start: { line: 3, character: 0 }, end: { line: 7, character: 12 } };

/** The notification sent to an agent when `text` is selected, as encoded by {@link BenchHost} and a dialect. */
export function selectionOf(text: string): Record<string, unknown> {
  return { selection: range, text, filePath: FILE };
}

/** A headless editor, which accepts every diff at once. */
export class BenchHost implements EditorHost {
  readonly name = "bench";
  readonly version = "1.0.0";
  readonly #events = new Emitter<HostEvents>();
  readonly #folder: PosixPath;
  #selection: Selection | undefined;

  constructor(folder: string) {
    this.#folder = folder as PosixPath;
  }

  /** Selects `text`. */
  announce(text: string): void {
    const { start, end } = range;
    this.#selection = { path: FILE, ranges: [{ start, end, text }], primary: 0 };
    this.#events.emit("selection");
  }

  workspace(): ReturnType<EditorHost["workspace"]> {
    return { folders: [{ path: this.#folder, name: "bench" }], trusted: true };
  }

  documents(): readonly [] {
    return [];
  }

  selection(): Selection | undefined {
    return this.#selection;
  }

  async read(): Promise<string> {
    return "";
  }

  openDiff: NonNullable<EditorHost["openDiff"]> = async ({ proposed }) => ({
    kind: "accepted",
    text: proposed,
    edited: false,
  });

  async diagnostics(): Promise<readonly []> {
    return [];
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): () => void {
    return this.#events.on(event, listener);
  }
}
