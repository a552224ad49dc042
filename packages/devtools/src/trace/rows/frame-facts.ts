import {
  isCostly,
  isObject,
  isRequestId,
  Method,
  type RawMessage,
  type RequestId,
} from "@idewire/core";
import {
  type Direction,
  type EventStamp,
  type FrameEvent,
  type FrameForm,
  opposite,
  type TraceEvent,
} from "../format/trace-event.ts";
import type { NumberedRows } from "./event-rows.ts";
import { firstFrom } from "./first-from.ts";
import { isListed } from "./is-listed.ts";

const CANCELLED = "notifications/cancelled";

/** What a frame is; a batch is any JSON array. */
export type FrameKind = "request" | "notification" | "result" | "error" | "batch" | "malformed";

/** Why a request will never be answered, and the number of the event that shows it. */
export interface Unanswered {
  readonly why: "closed" | "cancelled" | "id-reused";
  readonly by: number;
}

/** Why a request is never answered. */
export const unansweredReasons: Readonly<Record<Unanswered["why"], string>> = {
  closed: "the connection closed",
  cancelled: "it was cancelled",
  "id-reused": "its id was used again",
};

/** What is known of a frame, so that a list need not parse it again. */
export interface FrameFacts {
  /** The number of its event in the log. */
  readonly n: number;
  /** Its number in lists: see {@link FrameIndex.numberOf}. */
  readonly number: number;
  readonly t: number;
  readonly ch: string;
  readonly dir: Direction;
  readonly kind: FrameKind;
  /** UTF-16 units of the frame. */
  readonly units: number;
  /** Its method; of an answer, that of the request. */
  readonly method?: string;
  /** The tool that `tools/call` names, of an answer as well. */
  readonly tool?: string;
  readonly id?: RequestId | null;
  /** The event of the request's answer, or of the answer's request. */
  readonly pair?: number;
  /** From the request to its answer. */
  readonly durationMs?: number;
  /** Set for a request that is never answered; a cancelled one may be answered nevertheless. */
  readonly unanswered?: Unanswered;
  readonly errorCode?: number;
  /** A tool's result that says `isError`. */
  readonly toolError?: boolean;
  readonly fault?: string;
  readonly lost?: boolean;
  /** A person has marked it. */
  readonly marked?: boolean;
  /** Set when the frame is not text, or only its beginning is kept. */
  readonly form?: FrameForm | "cut";
}

/** Frames in order; they grow at the end and sometimes change elsewhere. */
export interface FrameRows extends NumberedRows {
  readonly rows: readonly FrameFacts[];
}

/** How much of a name or an id is kept, in UTF-16 units. */
const MAX_NAME_UNITS = 1000;

interface OpenRequest {
  readonly n: number;
  readonly index: number;
}

/**
 * The facts of all frames of a log, in order, updated as events are added. Answers are paired with
 * their requests by connection, direction and id; a reused id belongs to the newest request.
 */
export class FrameIndex implements FrameRows {
  #frames: FrameFacts[] = [];
  /** The events that have a row, oldest first. */
  #listed: TraceEvent[] = [];
  #droppedListed: number;
  readonly #channels = new Set<string>();
  readonly #waiting = new Map<string, OpenRequest>();
  #droppedFrames = 0;
  /** The numbers of the requests that are never answered, in the order in which that was found. */
  #unanswered: number[] = [];
  #droppedUnanswered = 0;
  /** The numbers of the frames that were marked, or were not any more, since they were added. */
  readonly #remarked: number[] = [];

  /** @param droppedListed how many events with a row came before the first one that is added */
  constructor(droppedListed = 0) {
    this.#droppedListed = droppedListed;
  }

  /** Oldest first; a view, valid until the next change. */
  get frames(): readonly FrameFacts[] {
    return this.#frames;
  }

  /** The number of the oldest frame that is kept; 0 when there is none. */
  get first(): number {
    return this.#frames[0]?.n ?? 0;
  }

  get rows(): readonly FrameFacts[] {
    return this.#frames;
  }

  get revision(): number {
    return this.#droppedFrames;
  }

  /** The connections that have carried a frame, in the order of their first. */
  get channels(): ReadonlySet<string> {
    return this.#channels;
  }

  /** Frames, and what leads to them or comes of them: the rows of a list without a filter. */
  get events(): NumberedRows {
    return { rows: this.#listed, revision: this.#droppedListed };
  }

  /** How many events have a row, dropped ones included: the number of the newest. */
  get count(): number {
    return this.#droppedListed + this.#listed.length;
  }

  /**
   * The number of a row, which is the same in all lists: the first event with a row is 1, whatever is
   * between them. An event without a row belongs to the row before.
   * @param n the number of the event in the log
   */
  numberOf(n: number): number {
    return this.#droppedListed + firstFrom(this.#listed, n + 1);
  }

  /** The event with a row of this number; undefined when there is none, or it was dropped. */
  eventOf(number: number): TraceEvent | undefined {
    return this.#listed[number - this.#droppedListed - 1];
  }

  /** How many requests are open. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many requests are known so far to stay without an answer. */
  get unanswered(): number {
    return this.#droppedUnanswered + this.#unanswered.length;
  }

  /** Those found after the first `count`, as far as they are kept. */
  unansweredSince(count: number): readonly number[] {
    return this.#unanswered.slice(Math.max(0, count - this.#droppedUnanswered));
  }

  /** The facts of the event number `n`; undefined when it is not a frame, or was dropped. */
  of(n: number): FrameFacts | undefined {
    const index = firstFrom(this.#frames, n);
    const facts = this.#frames[index];
    return facts?.n === n ? facts : undefined;
  }

  /** Takes the next event of the log; a close ends the open requests of its connection. */
  add(event: TraceEvent): void {
    if (isListed(event)) this.#listed.push(event);
    if (event.ev === "close") this.#closed(event);
    if (event.ev !== "frame") return;
    const facts = this.#pair(event);
    this.#channels.add(event.ch);
    this.#frames.push(facts);
    if (facts.method === CANCELLED && facts.lost !== true) this.#cancelled(facts, event.raw);
  }

  /** Takes the mark of an event that was added before. */
  mark(event: TraceEvent): void {
    const row = firstFrom(this.#listed, event.n);
    if (this.#listed[row]?.n === event.n) this.#listed[row] = event;
    const at = firstFrom(this.#frames, event.n);
    const facts = this.#frames[at];
    if (facts?.n !== event.n) return;
    const { marked: _, ...rest } = facts;
    this.#frames[at] = event.mark === undefined ? rest : { ...rest, marked: true };
    this.#remarked.push(event.n);
  }

  /** How many marks have changed. */
  get marks(): number {
    return this.#remarked.length;
  }

  /** The numbers of the frames whose marks have changed after the first `count` changes. */
  remarkedSince(count: number): readonly number[] {
    return this.#remarked.slice(count);
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    const count = firstFrom(this.#frames, first);
    this.#frames = this.#frames.slice(count);
    this.#droppedFrames += count;
    const listed = firstFrom(this.#listed, first);
    this.#listed = this.#listed.slice(listed);
    this.#droppedListed += listed;
    for (const [key, { n }] of this.#waiting) if (n < first) this.#waiting.delete(key);
    const kept = this.#unanswered.filter((n) => n >= first);
    this.#droppedUnanswered += this.#unanswered.length - kept.length;
    this.#unanswered = kept;
  }

  #pair(event: EventStamp & FrameEvent): FrameFacts {
    const { n, t, ch, dir, raw, fault, lost, cut } = event;
    const form = cut === undefined ? event.form : "cut";
    const facts: FrameFacts = {
      ...{ n, t, ch, dir, number: this.count, units: cut ?? raw.length },
      ...readFrame(event),
      ...(form !== undefined && { form }),
      ...(fault !== undefined && { fault }),
      ...(lost === true && { lost }),
      ...(event.mark !== undefined && { marked: true }),
    };
    const { id, kind } = facts;
    if (lost === true || id === undefined || id === null) return facts;
    if (kind === "request") {
      const index = this.#droppedFrames + this.#frames.length;
      const key = keyOf(ch, dir, id);
      this.#end(this.#waiting.get(key), { why: "id-reused", by: n });
      this.#waiting.set(key, { n, index });
    }
    return kind === "result" || kind === "error" ? this.#answer(facts, id) : facts;
  }

  #answer(facts: FrameFacts, id: RequestId): FrameFacts {
    const key = keyOf(facts.ch, opposite(facts.dir), id);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return facts;
    this.#waiting.delete(key);
    const index = waiting.index - this.#droppedFrames;
    const request = this.#frames[index];
    if (request === undefined) return facts;
    const durationMs = facts.t - request.t;
    const { unanswered: _, ...rest } = request;
    this.#frames[index] = { ...rest, pair: facts.n, durationMs };
    const { method, tool } = request;
    return {
      ...facts,
      ...(method !== undefined && { method }),
      ...(tool !== undefined && { tool }),
      ...{ pair: request.n, durationMs },
    };
  }

  #closed({ ch, n: by }: { readonly ch: string; readonly n: number }): void {
    for (const [key, waiting] of this.#waiting) {
      if (!key.startsWith(`${JSON.stringify(ch)} `)) continue;
      this.#waiting.delete(key);
      this.#end(waiting, { why: "closed", by });
    }
  }

  #cancelled({ ch, dir, n: by }: FrameFacts, raw: string): void {
    const { params } = JSON.parse(raw) as { readonly params?: unknown };
    const id = isObject(params) ? params["requestId"] : undefined;
    if (!isRequestId(id)) return;
    this.#end(this.#waiting.get(keyOf(ch, dir, id)), { why: "cancelled", by });
  }

  #end(waiting: OpenRequest | undefined, unanswered: Unanswered): void {
    if (waiting === undefined) return;
    const index = waiting.index - this.#droppedFrames;
    const request = this.#frames[index];
    if (request === undefined || request.unanswered !== undefined) return;
    this.#frames[index] = { ...request, unanswered };
    this.#unanswered.push(request.n);
  }
}

/** What a frame contains, without the frames around it. */
export interface FrameReading {
  readonly kind: FrameKind;
  readonly method?: string;
  readonly tool?: string;
  readonly id?: RequestId | null;
  readonly errorCode?: number;
  readonly toolError?: boolean;
}

/** Reads one frame; never throws. */
export function readFrame({
  raw,
  form,
  cut,
}: Pick<FrameEvent, "raw" | "form" | "cut">): FrameReading {
  if (form !== undefined || cut !== undefined) return { kind: "malformed" };
  if (isCostly(raw)) return { kind: raw.trimStart().startsWith("[") ? "batch" : "malformed" };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return { kind: "malformed" };
  }
  if (Array.isArray(value)) return { kind: "batch" };
  return isObject(value) ? readMessage(value) : { kind: "malformed" };
}

function readMessage(message: RawMessage): FrameReading {
  const isKept = isRequestId(message.id) && !isLong(message.id);
  const id = isKept || message.id === null ? { id: message.id } : {};
  if (typeof message.method === "string") {
    const method = message.method.slice(0, MAX_NAME_UNITS);
    const tool = method === Method.ToolsCall ? nameIn(message.params) : undefined;
    const kind = message.id === undefined ? "notification" : "request";
    return { kind, method, ...id, ...(tool !== undefined && { tool }) };
  }
  if (message.error !== undefined) {
    const code = isObject(message.error) ? message.error["code"] : undefined;
    return { kind: "error", ...id, ...(typeof code === "number" && { errorCode: code }) };
  }
  if (message.result === undefined) return { kind: "malformed", ...id };
  const failed = isObject(message.result) && message.result["isError"] === true;
  return { kind: "result", ...id, ...(failed && { toolError: true }) };
}

/** Such an id is not kept, so no answer is paired by it. */
function isLong(id: RequestId): boolean {
  return typeof id === "string" && id.length > MAX_NAME_UNITS;
}

function nameIn(params: unknown): string | undefined {
  const name = isObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name.slice(0, MAX_NAME_UNITS) : undefined;
}

/** Whether a frame is a request that may still be answered. */
export function isWaiting({ kind, pair, unanswered, lost }: FrameFacts): boolean {
  return kind === "request" && pair === undefined && unanswered === undefined && lost !== true;
}

function keyOf(ch: string, dir: Direction, id: RequestId): string {
  return `${JSON.stringify(ch)} ${dir} ${JSON.stringify(id)}`;
}
