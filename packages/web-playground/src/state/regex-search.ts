import {
  type FilterRegex,
  type FrameIndex,
  findMatches,
  firstFrom,
  REGEX_LIMIT_MS,
  type RegexJob,
  type RegexMatches,
} from "@idewire/devtools/internal";

/** The most text per request to the worker, to which the time limit applies. */
const BATCH_FRAMES = 500;
const BATCH_UNITS = 200_000;

/** The expressions and the searched frames. */
interface RegexSearchOptions {
  readonly regexes: readonly FilterRegex[];
  readonly index: FrameIndex;
  /** The text of the frame that is event number `n`. */
  readonly raw: (n: number) => string;
  /** Called when more frames were searched. */
  readonly onmatches: () => void;
  /** Called with an expression that was stopped, and the reason; the search ends. */
  readonly onstop: (regex: FilterRegex, issue: string) => void;
}

/** Searches frames by regular expressions in a worker, which is terminated when one takes too long. */
export class RegexSearch implements RegexMatches {
  readonly #options: RegexSearchOptions;
  readonly #found: ReadonlyMap<string, Set<number>>;
  #worker: Worker | undefined;
  #seen = 0;
  #first = 0;
  #isBusy = false;
  #isOver = false;

  constructor(options: RegexSearchOptions) {
    this.#options = options;
    this.#found = new Map(options.regexes.map(({ source }) => [source, new Set()]));
  }

  get seen(): number {
    return this.#seen;
  }

  /** Whether frames of the index have not been searched yet. */
  get isBehind(): boolean {
    return !this.#isOver && (this.#options.index.frames.at(-1)?.n ?? 0) > this.#seen;
  }

  has({ source }: FilterRegex, n: number): boolean {
    return this.#found.get(source)?.has(n) === true;
  }

  /** Searches the new frames. */
  advance(): void {
    if (!this.#isBusy && this.isBehind) void this.#run();
  }

  close(): void {
    this.#isOver = true;
    this.#worker?.terminate();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.isBehind) {
      const frames = this.#nextBatch();
      for (const regex of this.#options.regexes) await this.#search(regex, frames);
      if (this.#isOver) break;
      this.#seen = frames.at(-1)?.n ?? this.#seen;
      this.#options.onmatches();
    }
    this.#isBusy = false;
  }

  #nextBatch(): RegexJob["frames"] {
    const { index, raw } = this.#options;
    this.#forget(index.first);
    const frames: { n: number; raw: string }[] = [];
    let units = 0;
    for (let at = firstFrom(index.frames, this.#seen + 1); at < index.frames.length; at += 1) {
      const n = index.frames[at]?.n ?? 0;
      const text = raw(n);
      units += text.length;
      frames.push({ n, raw: text });
      if (frames.length === BATCH_FRAMES || units > BATCH_UNITS) break;
    }
    return frames;
  }

  /** Discards results that the index has dropped. */
  #forget(first: number): void {
    if (first === this.#first) return;
    this.#first = first;
    for (const found of this.#found.values()) {
      for (const n of found) {
        if (n >= first) break;
        found.delete(n);
      }
    }
  }

  async #search(regex: FilterRegex, frames: RegexJob["frames"]): Promise<void> {
    if (this.#isOver) return;
    const { pattern, flags } = regex;
    const found = await runJob(await this.#start(), { pattern, flags, frames });
    if (this.#isOver) return;
    if (typeof found !== "string") {
      for (const n of found) this.#found.get(regex.source)?.add(n);
      return;
    }
    this.close();
    this.#options.onstop(regex, found);
  }

  async #start(): Promise<Worker> {
    this.#worker ??= await startWorker();
    // It may have been closed meanwhile, and then does not answer.
    if (this.#isOver) this.#worker.terminate();
    return this.#worker;
  }
}

/** Settles once the worker runs: its start does not count as searching. */
async function startWorker(): Promise<Worker> {
  const program = `onmessage=({data})=>postMessage((${String(findMatches)})(data));postMessage(0)`;
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  const worker = new Worker(url);
  await new Promise((resolve) => {
    worker.onmessage = resolve;
    worker.onerror = resolve;
  });
  URL.revokeObjectURL(url);
  return worker;
}

/** @returns the numbers of the frames that match, or why there are none */
function runJob(worker: Worker, job: RegexJob): Promise<readonly number[] | string> {
  return new Promise((resolve) => {
    const slow = `it took more than ${REGEX_LIMIT_MS} ms, and was stopped; make it simpler`;
    const timer = window.setTimeout(() => {
      // The answer may have arrived already: the page itself may have been busy.
      window.setTimeout(() => resolve(slow));
    }, REGEX_LIMIT_MS);
    const end = (answer: readonly number[] | string): void => {
      window.clearTimeout(timer);
      resolve(answer);
    };
    worker.onmessage = ({ data }: MessageEvent<readonly number[]>) => end(data);
    worker.onerror = ({ message }) => end(message || "this browser does not run it");
    worker.postMessage(job);
  });
}
