import { Method } from "../mcp/protocol.ts";
import { isCostly } from "../rpc/costly-json.ts";
import { isObject, isRequestId, type RawMessage, type RequestId } from "../rpc/message.ts";
import type { NumberedRows } from "./event-rows.ts";
import { firstFrom } from "./first-from.ts";
import type { Direction, FrameEvent, FrameForm, TraceEvent } from "./trace-event.ts";

/** What a frame is; a batch is what several revisions of MCP call one, whatever it holds. */
export type FrameKind = "request" | "notification" | "result" | "error" | "batch" | "malformed";

/** What a list shows of a frame without parsing it again. */
export interface FrameFacts {
  /** The number of its event. */
  readonly n: number;
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
  readonly errorCode?: number;
  /** A tool's result that says `isError`. */
  readonly toolError?: boolean;
  readonly fault?: string;
  readonly lost?: boolean;
  /** It is no text, or only its beginning is kept. */
  readonly form?: FrameForm | "cut";
}

/** Frames in order, which grow at their end and now and then change elsewhere. */
export interface FrameRows extends NumberedRows {
  readonly rows: readonly FrameFacts[];
}

/** Of names and ids so much is kept of each frame. */
const MAX_NAME_UNITS = 1000;

interface Waiting {
  readonly n: number;
  readonly index: number;
}

/**
 * The facts of all frames of a log, in order, kept up as events are added. Answers are paired with
 * their requests by connection, direction and id; an id that is used again belongs to the newest.
 */
export class FrameIndex implements FrameRows {
  #frames: FrameFacts[] = [];
  readonly #waiting = new Map<string, Waiting>();
  #droppedFrames = 0;

  /** Oldest first; a view, good until the next change. */
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

  /** How many requests wait for their answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The facts of the event number `n`, when that is a frame that is kept. */
  of(n: number): FrameFacts | undefined {
    const index = firstFrom(this.#frames, n);
    const facts = this.#frames[index];
    return facts?.n === n ? facts : undefined;
  }

  /** Takes the next event of the log; what is no frame only ends what waits on a connection. */
  add(event: TraceEvent): void {
    if (event.ev === "close") this.#forget(event.ch);
    if (event.ev === "frame") this.#frames.push(this.#pair({ ...event, ...readFrame(event) }));
  }

  /** Lets go of all before the event number `first`. */
  drop(first: number): void {
    const count = firstFrom(this.#frames, first);
    this.#frames = this.#frames.slice(count);
    this.#droppedFrames += count;
    for (const [key, { n }] of this.#waiting) if (n < first) this.#waiting.delete(key);
  }

  #pair(read: FrameEvent & { n: number; t: number } & FrameReading): FrameFacts {
    const { n, t, ch, dir, raw, kind, fault, lost, method, tool, id, errorCode, toolError } = read;
    const form = read.cut === undefined ? read.form : "cut";
    const facts: FrameFacts = {
      ...{ n, t, ch, dir, kind, units: read.cut ?? raw.length },
      ...(form !== undefined && { form }),
      ...(method !== undefined && { method }),
      ...(tool !== undefined && { tool }),
      ...(id !== undefined && { id }),
      ...(errorCode !== undefined && { errorCode }),
      ...(toolError === true && { toolError }),
      ...(fault !== undefined && { fault }),
      ...(lost === true && { lost }),
    };
    if (lost === true || id === undefined || id === null) return facts;
    if (kind === "request") {
      const index = this.#droppedFrames + this.#frames.length;
      this.#waiting.set(keyOf(ch, dir, id), { n, index });
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
    this.#frames[index] = { ...request, pair: facts.n, durationMs };
    const { method, tool } = request;
    return {
      ...facts,
      ...(method !== undefined && { method }),
      ...(tool !== undefined && { tool }),
      ...{ pair: request.n, durationMs },
    };
  }

  #forget(ch: string): void {
    for (const key of this.#waiting.keys()) {
      if (key.startsWith(`${JSON.stringify(ch)} `)) this.#waiting.delete(key);
    }
  }
}

/** What a frame says of itself, without the frames around it. */
export interface FrameReading {
  readonly kind: FrameKind;
  readonly method?: string;
  readonly tool?: string;
  readonly id?: RequestId | null;
  readonly errorCode?: number;
  readonly toolError?: boolean;
}

/** Reads one frame; whatever it holds, it does not throw. */
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
  const id = isKept || message.id === null ? { id: message.id as RequestId | null } : {};
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

/** A longer id is that of nobody who waits. */
function isLong(id: RequestId): boolean {
  return typeof id === "string" && id.length > MAX_NAME_UNITS;
}

function nameIn(params: unknown): string | undefined {
  const name = isObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name.slice(0, MAX_NAME_UNITS) : undefined;
}

function keyOf(ch: string, dir: Direction, id: RequestId): string {
  return `${JSON.stringify(ch)} ${dir} ${JSON.stringify(id)}`;
}

/** The other way. */
export function opposite(dir: Direction): Direction {
  return dir === "agent>ide" ? "ide>agent" : "agent>ide";
}
