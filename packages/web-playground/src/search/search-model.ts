import {
  type FoundFile,
  type FoundLine,
  type SearchEnd,
  searchFiles,
  type TextQuery,
} from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import type { PageModel } from "../state/page-model.ts";

/** Where files are searched: in the folder behind the page, or in the simulated editor. */
export interface SearchSource {
  /**
   * Searches the files; another search stops it.
   * @throws Error for the person to read
   */
  search(
    query: TextQuery,
    take: (found: readonly FoundFile[]) => void,
    signal: AbortSignal,
  ): Promise<SearchEnd>;
}

/** A found line, and its file. */
export interface FoundPlace extends FoundLine {
  readonly path: string;
}

/** Waits until the person has stopped typing. */
const PAUSE_MS = 150;

/** The search in the files of a page; it stays as it is while its dialog is closed. */
export class SearchModel {
  readonly text = signal("");
  readonly matchCase = signal(false);
  readonly found: Signal<readonly FoundPlace[]> = signal([]);
  /** How many files have matches. */
  readonly files = signal(0);
  /** The index of the selected line. */
  readonly at = signal(0);
  /** Undefined while the search runs, and before the first one. */
  readonly end: Signal<SearchEnd | undefined> = signal(undefined);
  readonly isRunning = signal(false);
  /** Why the search failed. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #source: SearchSource;
  #running = new AbortController();
  #timer: number | undefined;

  constructor(source: SearchSource) {
    this.#source = source;
  }

  /** Searches once the person has stopped typing. */
  runSoon(): void {
    this.stop();
    this.isRunning.value = this.text.value !== "";
    this.#timer = window.setTimeout(() => void this.run(), PAUSE_MS);
  }

  async run(): Promise<void> {
    this.stop();
    const { signal: stopped } = this.#running;
    this.found.value = [];
    this.files.value = 0;
    this.at.value = 0;
    this.end.value = undefined;
    this.problem.value = undefined;
    if (this.text.value === "") return;
    this.isRunning.value = true;
    const query = { text: this.text.value, ...(this.matchCase.value && { matchCase: true }) };
    try {
      const end = await this.#source.search(query, (found) => this.#take(found, stopped), stopped);
      if (!stopped.aborted) this.end.value = end;
    } catch (error) {
      if (!stopped.aborted) this.problem.value = (error as Error).message;
    }
    if (!stopped.aborted) this.isRunning.value = false;
  }

  stop(): void {
    window.clearTimeout(this.#timer);
    this.#running.abort();
    this.#running = new AbortController();
    this.isRunning.value = false;
  }

  #take(found: readonly FoundFile[], stopped: AbortSignal): void {
    if (stopped.aborted) return;
    const places = found.flatMap(({ path, lines }) => lines.map((line) => ({ path, ...line })));
    this.found.value = [...this.found.value, ...places];
    this.files.value += found.length;
  }
}

const models = new WeakMap<object, SearchModel>();

/** The search of the folder behind a page, or of its simulated editor. */
export function searchOf(model: PageModel): SearchModel {
  const owner = model.live ?? model;
  const search = models.get(owner) ?? new SearchModel(model.live?.search ?? simulated(model));
  models.set(owner, search);
  return search;
}

function simulated(model: PageModel): SearchSource {
  return {
    search(query, take, stopped) {
      const { files } = model.state.peek();
      const paths = [[...files.keys()]];
      return searchFiles(query, { paths, read: (path) => files.get(path), take, signal: stopped });
    },
  };
}
