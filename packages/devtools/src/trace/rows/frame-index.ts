import type { RequestId } from "@idewire/core/internal";
import { isRequestId } from "@idewire/core/internal";
import {
  Conversation,
  type EndedRequest,
  type TracedMessage,
  type TracedRequest,
} from "../conversation/conversation.ts";
import { type FrameKind, MAX_NAME_UNITS } from "../conversation/read-frame.ts";
import type {
  Direction,
  EventStamp,
  FrameEvent,
  FrameForm,
  TraceEvent,
} from "../format/trace-event.ts";
import type { NumberedRows } from "./event-rows.ts";
import { firstFrom } from "./first-from.ts";
import { HttpExchanges } from "./http-exchanges.ts";
import { isListed } from "./is-listed.ts";
import { WithdrawnDiffs } from "./withdrawn-diffs.ts";

/** Why a request will never be answered, and the number of the event that shows it. */
export interface Unanswered extends Pick<EndedRequest, "why" | "reason"> {
  readonly by: number;
}

const reasons: Readonly<Record<Exclude<Unanswered["why"], "failed">, string>> = {
  closed: "the connection closed",
  cancelled: "it was cancelled",
  "id-reused": "its id was used again",
};

/** How a request ended without an answer, as the rest of a sentence: `was never answered: it was cancelled`. */
export function describeUnanswered({ why, reason = "" }: Unanswered): string {
  return why === "failed"
    ? `failed: ${reason.replace(/\.$/, "")}`
    : `was never answered: ${reasons[why]}`;
}

/** The facts of a frame, so that a list need not parse it again. */
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
  /** Of a request that was answered by an error, or by a tool's result with `isError`. */
  readonly failed?: boolean;
  /** Of the answer to `openDiff`: the tool by which the agent had withdrawn the diff. */
  readonly withdrawnBy?: string;
  /** Set for a request that is never answered; a cancelled one may be answered nevertheless. */
  readonly unanswered?: Unanswered;
  readonly errorCode?: number;
  /** A tool's result with `isError`. */
  readonly toolError?: boolean;
  readonly fault?: string;
  readonly lost?: boolean;
  /** A person has marked it. */
  readonly marked?: boolean;
  /** Set when the frame is not text, or is cut. */
  readonly form?: FrameForm | "cut";
}

/** Frames in order; they grow at the end and sometimes change elsewhere. */
export interface FrameRows extends NumberedRows {
  readonly rows: readonly FrameFacts[];
}

/** The facts of all frames of a log, in order, updated as events are added. */
export class FrameIndex implements FrameRows {
  /** Of connections over HTTP. */
  readonly http: HttpExchanges = new HttpExchanges();
  #frames: FrameFacts[] = [];
  /** The events that have a row, oldest first. */
  #listed: TraceEvent[] = [];
  #droppedListed: number;
  readonly #channels = new Set<string>();
  /** By connection, the sub-protocol with which it was opened. */
  readonly #protocols = new Map<string, string>();
  readonly #conversation = new Conversation();
  readonly #withdrawn = new WithdrawnDiffs();
  #droppedFrames = 0;
  /** The numbers of the requests that ended without an answer, in the order of their ends. */
  #unanswered: number[] = [];
  #droppedUnanswered = 0;
  /** The numbers of the frames whose marks have changed since they were added. */
  readonly #markChanges: number[] = [];

  /** @param droppedListed the number of events with a row before the first added one */
  constructor(droppedListed = 0) {
    this.#droppedListed = droppedListed;
  }

  /** Oldest first; a view, valid until the next change. */
  get frames(): readonly FrameFacts[] {
    return this.#frames;
  }

  /** The number of the oldest frame in the index; 0 when there is none. */
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

  /** The sub-protocol with which a connection was opened, if any. */
  protocolOf(ch: string): string | undefined {
    return this.#protocols.get(ch);
  }

  /** Frames, their causes and their effects: the rows of a list without a filter. */
  get events(): NumberedRows {
    return { rows: this.#listed, revision: this.#droppedListed };
  }

  /** How many events have a row, dropped ones included: the number of the newest. */
  get count(): number {
    return this.#droppedListed + this.#listed.length;
  }

  /**
   * The number of a row, which is the same in all lists, from 1. An event without a row belongs to the
   * row before.
   * @param n the number of the event in the log
   */
  numberOf(n: number): number {
    return this.#droppedListed + firstFrom(this.#listed, n + 1);
  }

  /** The event with a row of this number; undefined when there is none, or it was dropped. */
  eventOf(number: number): TraceEvent | undefined {
    return this.#listed[number - this.#droppedListed - 1];
  }

  /** How many requests have ended without an answer. */
  get unanswered(): number {
    return this.#droppedUnanswered + this.#unanswered.length;
  }

  /** Those found after the first `count`, without dropped ones. */
  unansweredSince(count: number): readonly number[] {
    return this.#unanswered.slice(Math.max(0, count - this.#droppedUnanswered));
  }

  /** The facts of the event number `n`; undefined when it is not a frame, or was dropped. */
  of(n: number): FrameFacts | undefined {
    const index = firstFrom(this.#frames, n);
    const facts = this.#frames[index];
    return facts?.n === n ? facts : undefined;
  }

  /** Adds the next event of the log. */
  add(event: TraceEvent): void {
    if (isListed(event)) this.#listed.push(event);
    if (event.ev === "open" && event.protocol !== undefined) {
      this.#protocols.set(event.ch, event.protocol);
    }
    this.http.add(event);
    const { kind, messages, ended } = this.#conversation.add(event);
    if (event.ev === "frame" && kind !== undefined) this.#frame(event, kind, messages[0]);
    if (event.ev === "frame" && event.lost !== true) {
      for (const message of messages) this.#withdrawn.add(event.n, event.ch, message);
    }
    for (const { request, pointer: _, ...end } of ended) {
      this.#end(request.n, { ...end, by: event.n });
    }
  }

  /** Updates the mark of an event that was added before. */
  mark(event: TraceEvent): void {
    const row = firstFrom(this.#listed, event.n);
    if (this.#listed[row]?.n === event.n) this.#listed[row] = event;
    const at = firstFrom(this.#frames, event.n);
    const facts = this.#frames[at];
    if (facts?.n !== event.n) return;
    const { marked: _, ...rest } = facts;
    this.#frames[at] = event.mark === undefined ? rest : { ...rest, marked: true };
    this.#markChanges.push(event.n);
  }

  /** How many marks have changed. */
  get marks(): number {
    return this.#markChanges.length;
  }

  /** The numbers of the frames whose marks have changed after the first `count` changes. */
  markChangesSince(count: number): readonly number[] {
    return this.#markChanges.slice(count);
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    const count = firstFrom(this.#frames, first);
    this.#frames = this.#frames.slice(count);
    this.#droppedFrames += count;
    const listed = firstFrom(this.#listed, first);
    this.#listed = this.#listed.slice(listed);
    this.#droppedListed += listed;
    this.#conversation.drop(first);
    this.http.drop(first);
    this.#withdrawn.drop(first);
    const rest = this.#unanswered.filter((n) => n >= first);
    this.#droppedUnanswered += this.#unanswered.length - rest.length;
    this.#unanswered = rest;
  }

  #frame(event: EventStamp & FrameEvent, kind: FrameKind, message: TracedMessage | undefined) {
    const { n, t, ch, dir, raw, fault, lost, cut } = event;
    const form = cut === undefined ? event.form : "cut";
    const facts: FrameFacts = {
      ...{ n, t, ch, dir, number: this.count, units: cut ?? raw.length, kind },
      ...(kind !== "batch" && message !== undefined && factsOf(message)),
      ...(form !== undefined && { form }),
      ...(fault !== undefined && { fault }),
      ...(lost === true && { lost }),
      ...(event.mark !== undefined && { marked: true }),
    };
    this.#channels.add(ch);
    const isAnswer = (kind === "result" || kind === "error") && lost !== true;
    const request = isAnswer ? message?.request : undefined;
    this.#frames.push(request === undefined ? facts : this.#answer(facts, request));
  }

  #answer(facts: FrameFacts, { n, t, method, tool }: TracedRequest): FrameFacts {
    const durationMs = facts.t - t;
    const at = firstFrom(this.#frames, n);
    const request = this.#frames[at];
    if (request?.n === n && request.kind === "request") {
      const { unanswered: _, ...rest } = request;
      const failed = facts.kind === "error" || facts.toolError === true;
      this.#frames[at] = { ...rest, pair: facts.n, durationMs, ...(failed && { failed }) };
    }
    const withdrawnBy = this.of(this.#withdrawn.callOf(n) ?? -1)?.tool;
    return {
      ...{ ...facts, method, pair: n, durationMs },
      ...(tool !== undefined && { tool }),
      ...(withdrawnBy !== undefined && { withdrawnBy }),
    };
  }

  #end(n: number, unanswered: Unanswered): void {
    const at = firstFrom(this.#frames, n);
    const request = this.#frames[at];
    if (request?.n !== n || request.kind !== "request" || request.unanswered !== undefined) return;
    this.#frames[at] = { ...request, unanswered };
    this.#unanswered.push(n);
  }
}

/** A long id is left out. */
function factsOf({ method, tool, id, errorCode, toolError }: TracedMessage): Partial<FrameFacts> {
  const isShort = isRequestId(id) ? String(id).length <= MAX_NAME_UNITS : id === null;
  return {
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(id !== undefined && isShort && { id }),
    ...(errorCode !== undefined && { errorCode }),
    ...(toolError !== undefined && { toolError }),
  };
}

/** Whether a frame is a request that may still be answered. */
export function isOpenRequest({ kind, pair, unanswered, lost }: FrameFacts): boolean {
  return kind === "request" && pair === undefined && unanswered === undefined && lost !== true;
}
