import { TraceReader } from "@idewire/devtools/internal";
import { EventLog, parseHar, type TraceEvent, type TraceHeader } from "@idewire/devtools/trace";
import { type IndexedLog, withIndex } from "../state/indexed-log.ts";
import type { PageModel, Recording } from "../state/page-model.ts";
import { SkippedLines, skippedLines } from "../state/skipped-lines.ts";

/** Reading a larger file would take minutes, and most of it could not be kept. */
export const MAX_FILE_BYTES = 1_000_000_000;
/** A HAR file is parsed at once, which must not block the page for long. */
const MAX_HAR_UNITS = 64_000_000;
/** The first limit that is reached drops the oldest events. */
const KEPT = { maxEvents: 1_000_000, maxUnits: 128_000_000 };
const MAX_EVENTS = 4_000_000;
/** The longest time per turn, and the chunk between two checks of the clock. */
const SLICE_MS = 10;
const CHUNK_UNITS = 64_000;

/** Reports the progress of reading, and aborts it. */
export interface TraceReading {
  /** Called repeatedly with the UTF-16 units read so far. */
  readonly onprogress?: (units: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Shows a trace that comes in chunks, in either format; the page changes only when all of it has been
 * read. Lines that are not events are recorded in {@link skippedLines}.
 * @returns why it is invalid
 */
export async function openChunks(
  model: PageModel,
  chunks: AsyncIterable<string>,
  options: TraceReading = {},
): Promise<string | undefined> {
  const read = await readChunks(chunks, options);
  if (typeof read === "string") return read;
  model.replay(read);
  return undefined;
}

/** Reads a trace without showing it. @returns why it is invalid otherwise */
export function readTraceFile(file: Blob): Promise<Recording | string> {
  return readChunks(textsOf(file), {}).catch(String);
}

async function readChunks(
  chunks: AsyncIterable<string>,
  options: TraceReading,
): Promise<Recording | string> {
  const reading = new Reading(options);
  for await (const text of chunks) {
    const issue = await reading.take(text);
    if (issue !== undefined) return issue;
    if (options.signal?.aborted === true) return "stopped";
  }
  return (await reading.end()) ?? reading;
}

/** Opens a file chunk by chunk: the page stays responsive, and the file need not fit into memory. */
export function openFile(
  model: PageModel,
  file: Blob,
  options: TraceReading = {},
): Promise<string | undefined> {
  return openChunks(model, textsOf(file), options);
}

async function* textsOf(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = file.stream().getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield decoder.decode(next.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel();
  }
}

class Reading implements Recording {
  readonly recorded: IndexedLog = withIndex(new EventLog(KEPT));
  startedMs: number | undefined;
  server: string | undefined;
  readonly #skipped = new SkippedLines();
  readonly #lines = new TraceReader({
    maxEvents: MAX_EVENTS,
    onskip: (line) => this.#skipped.add(line),
  });
  readonly #options: TraceReading;
  /** Undefined until enough has been read to detect it. */
  #isHar: boolean | undefined;
  #held = "";
  #units = 0;
  #turnEnds = performance.now() + SLICE_MS;

  constructor(options: TraceReading) {
    this.#options = options;
  }

  /** @returns why it is invalid */
  async take(text: string): Promise<string | undefined> {
    this.#units += text.length;
    if (this.#isHar === false) return this.#read(text);
    this.#held += text;
    if (this.#held.length > MAX_HAR_UNITS) {
      return `a HAR file is opened up to ${MAX_HAR_UNITS / 1e6} MB; JSON Lines may be longer`;
    }
    if (this.#isHar === true || this.#held.trimStart().length < 32) return undefined;
    this.#isHar = /^\s*\{\s*"log"/.test(this.#held);
    return this.#isHar ? undefined : this.#read(this.#takeHeld());
  }

  /** @returns why it is invalid */
  async end(): Promise<string | undefined> {
    if (this.#isHar === true) {
      const har = parseHar(this.#takeHeld());
      if (!har.ok) return har.issue;
      this.#enter(har.value.header);
      return this.#adopt(har.value.events);
    }
    const issue = await this.#read(this.#takeHeld());
    if (issue !== undefined) return issue;
    const end = this.#lines.end();
    if (!end.ok) return end.issue;
    this.#enter(end.value.header);
    await this.#adopt(end.value.events);
    const [first] = this.#skipped.kept;
    const { log } = this.recorded;
    if (first !== undefined && log.last === 0) return `line ${first.line}: ${first.issue}`;
    skippedLines.set(log, this.#skipped);
    return undefined;
  }

  /** A HAR file without times begins in 1970. */
  #enter({ created = "", server }: TraceHeader): void {
    this.startedMs = Date.parse(created) || undefined;
    this.server = server;
  }

  #takeHeld(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  async #read(text: string): Promise<string | undefined> {
    for (let at = 0; at < text.length; at += CHUNK_UNITS) {
      const read = this.#lines.push(text.slice(at, at + CHUNK_UNITS));
      if (!read.ok) return read.issue;
      await this.#adopt(read.value);
    }
    return undefined;
  }

  async #adopt(events: readonly TraceEvent[]): Promise<undefined> {
    for (const event of events) {
      this.recorded.log.adopt(event);
      if (performance.now() > this.#turnEnds) await this.#rest();
    }
    if (performance.now() > this.#turnEnds) await this.#rest();
  }

  /** Yields to the page. */
  async #rest(): Promise<void> {
    this.#options.onprogress?.(this.#units);
    await new Promise((resolve) => window.setTimeout(resolve));
    this.#turnEnds = performance.now() + SLICE_MS;
  }
}
