import type { RequestId } from "@idewire/core/internal";
import { isRequestId } from "@idewire/core/internal";
import {
  type Direction,
  type EventStamp,
  type FailedEvent,
  type FrameEvent,
  opposite,
  type TraceEvent,
} from "../format/trace-event.ts";
import { type FrameKind, type MessageReading, readFrame, type UnreadFrame } from "./read-frame.ts";

/** A request of a trace. Its identity is its key: each of its messages has the same object. */
export interface TracedRequest {
  /** The number of its event. */
  readonly n: number;
  readonly t: number;
  readonly id: RequestId;
  readonly method: string;
  /** The tool that `tools/call` names. */
  readonly tool?: string;
}

/** A message of a trace. */
export interface TracedMessage extends MessageReading {
  /** A JSON pointer to it in its frame: empty, or its index in a batch. */
  readonly pointer: string;
  /** Of a request, itself; of an answer, the request that it answers. Undefined for anything else. */
  readonly request?: TracedRequest;
}

/** A request that gets no answer; a cancelled one may be answered nevertheless. */
export interface EndedRequest {
  readonly request: TracedRequest;
  readonly why: "closed" | "cancelled" | "id-reused" | "failed";
  /** Of a failed one. */
  readonly reason?: string;
  /** The message that ended it, by its JSON pointer; empty for the end of a connection or a failure. */
  readonly pointer: string;
}

/** The role of an event in its conversation. */
export interface TracedEvent {
  /** Undefined when it is not a frame. */
  readonly kind?: FrameKind;
  readonly messages: readonly TracedMessage[];
  readonly unread?: UnreadFrame;
  readonly ended: readonly EndedRequest[];
}

type OpenRequests = Readonly<Record<Direction, Map<RequestId, TracedRequest>>>;

const nothing: TracedEvent = { messages: [], ended: [] };

/**
 * The only place that pairs answers with requests: by connection, direction and id, event by event. A reused id
 * belongs to the newest request; lost frames neither open nor answer requests. Stores open requests only.
 */
export class Conversation {
  readonly #connections = new Map<string, OpenRequests>();
  readonly #isExact: boolean;

  /** @param isExact as for {@link readFrame} */
  constructor(isExact = false) {
    this.#isExact = isExact;
  }

  /** Processes the next event. */
  add(event: TraceEvent): TracedEvent {
    if (event.ev === "frame") return this.#frame(event);
    if (event.ev === "failed") return this.#failed(event);
    if (event.ev !== "close" && event.ev !== "open") return nothing;
    const open = Object.values(this.#connections.get(event.ch) ?? {});
    this.#connections.delete(event.ch);
    const ended = open.flatMap((requests) => [...requests.values()]);
    return {
      messages: [],
      ended: ended.map((request) => ({ request, why: "closed", pointer: "" })),
    };
  }

  /** Drops the open requests before the event number `first`. */
  drop(first: number): void {
    for (const open of this.#connections.values()) {
      for (const requests of Object.values(open)) {
        for (const [id, { n }] of requests) if (n < first) requests.delete(id);
      }
    }
  }

  #failed({ ch, dir, id, reason }: FailedEvent): TracedEvent {
    const request = this.#connections.get(ch)?.[dir].get(id);
    if (request === undefined) return nothing;
    // The request has the method, and its connection the address.
    const isPlaced = reason.startsWith(`${request.method} at `);
    const why = isPlaced ? reason.slice(reason.indexOf(": ") + 2) : reason;
    return { messages: [], ended: [{ request, why: "failed", reason: why, pointer: "" }] };
  }

  #frame(event: EventStamp & FrameEvent): TracedEvent {
    const { messages, ...read } = readFrame(event, this.#isExact);
    const ended: EndedRequest[] = [];
    const traced = messages.map((message, at): TracedMessage => {
      const pointer = read.kind === "batch" ? `/${at}` : "";
      const request = this.#pair(message, { event, pointer, ended });
      return { ...message, pointer, ...(request !== undefined && { request }) };
    });
    return { ...read, messages: traced, ended };
  }

  #pair(message: MessageReading, at: Place): TracedRequest | undefined {
    const { kind, id, cancelled } = message;
    const { event, pointer, ended } = at;
    const open = this.#openIn(event.ch);
    if (kind === "result" || kind === "error") {
      const requests = open[opposite(event.dir)];
      const request = isRequestId(id) ? requests.get(id) : undefined;
      if (request !== undefined && event.lost !== true) requests.delete(request.id);
      return request;
    }
    if (event.lost === true) return undefined;
    const requests = open[event.dir];
    if (cancelled !== undefined) {
      const request = requests.get(cancelled);
      if (request !== undefined) ended.push({ request, why: "cancelled", pointer });
    }
    if (kind !== "request" || !isRequestId(id)) return undefined;
    const reused = requests.get(id);
    if (reused !== undefined) ended.push({ request: reused, why: "id-reused", pointer });
    const { method = "", tool } = message;
    const { n, t } = event;
    const request = { n, t, id, method, ...(tool !== undefined && { tool }) };
    requests.set(id, request);
    return request;
  }

  #openIn(ch: string): OpenRequests {
    let open = this.#connections.get(ch);
    if (open === undefined) {
      open = { "agent>ide": new Map(), "ide>agent": new Map() };
      this.#connections.set(ch, open);
    }
    return open;
  }
}

interface Place {
  readonly event: EventStamp & FrameEvent;
  readonly pointer: string;
  readonly ended: EndedRequest[];
}
