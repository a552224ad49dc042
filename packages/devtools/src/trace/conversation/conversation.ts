import type { RequestId } from "@idewire/core/internal";
import { isRequestId } from "@idewire/core/internal";
import {
  type Direction,
  type EventStamp,
  type FrameEvent,
  type HttpEvent,
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

/** A request that gets no answer; a cancelled or refused one may be answered nevertheless. */
export interface EndedRequest {
  readonly request: TracedRequest;
  readonly why: "closed" | "cancelled" | "id-reused" | "refused";
  /** The message that ended it, by its JSON pointer; empty for the end of a connection or an exchange. */
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
  /** By connection and exchange, the requests that HTTP carries, until a response does not refuse them. */
  readonly #carried = new Map<string, readonly RequestId[]>();
  readonly #isExact: boolean;

  /** @param isExact as for {@link readFrame} */
  constructor(isExact = false) {
    this.#isExact = isExact;
  }

  /** Processes the next event. */
  add(event: TraceEvent): TracedEvent {
    if (event.ev === "frame") return this.#frame(event);
    if (event.ev === "http") return this.#http(event);
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

  #http(event: HttpEvent): TracedEvent {
    const { ch, exchange, part, carries = [] } = event;
    const key = `${ch} ${exchange}`;
    // A refused initialize closes the connection, or is sent again over HTTP with SSE.
    const asked = carries.filter(({ method }) => method !== "initialize");
    const ids = asked.flatMap(({ id }) => id ?? []);
    if (part === "request" && ids.length > 0) this.#carried.set(key, ids);
    const carried = this.#carried.get(key) ?? [];
    if (part === "end" || (part === "response" && !isRefusal(event))) this.#carried.delete(key);
    if (part !== "end" || event.problem !== undefined) return nothing;
    const open = this.#connections.get(ch)?.["agent>ide"];
    const requests = carried.flatMap((id) => open?.get(id) ?? []);
    return {
      messages: [],
      ended: requests.map((request) => ({ request, why: "refused", pointer: "" })),
    };
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

/** Whether a response has no answer, and is no challenge after which the client sends the request again. */
function isRefusal({ status = 0, headers }: HttpEvent): boolean {
  const [, challenge] = headers?.find(([name]) => name === "www-authenticate") ?? [];
  if (challenge === undefined) return status >= 400;
  return status >= 400 && status !== 401 && !challenge.includes("insufficient_scope");
}

interface Place {
  readonly event: EventStamp & FrameEvent;
  readonly pointer: string;
  readonly ended: EndedRequest[];
}
