import type { DiffOutcome, DiffRequest, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import { isObject, type RawMessage } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import type { InMemoryEditor } from "@idewire/core/testing";
import { frameMessages } from "../../trace/conversation/read-frame.ts";
import type { EventStamp, FrameEvent, TraceEvent } from "../../trace/format/trace-event.ts";
import type { EventLog } from "../../trace/recording/event-log.ts";
import { recordTransport } from "../../trace/recording/record-transport.ts";

/** What an agent did, or what happened to a diff that it asked for. */
export type SeenFact =
  | { readonly kind: "connected"; readonly editor: string }
  | { readonly kind: "initialized"; readonly agent: unknown }
  | { readonly kind: "ready" }
  | { readonly kind: "request" | "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "disconnected"; readonly code: number; readonly reason: string }
  | { readonly kind: "refused"; readonly editor: string }
  | {
      readonly kind: "diff";
      readonly outcome: "shown" | "accepted" | "rejected" | "closed" | "cancelled";
      /** Relative to the workspace where it is inside. */
      readonly path: string;
      readonly title: string;
    }
  /** The agent's command has exited; without a code if a signal terminated it. */
  | { readonly kind: "exit"; readonly code: number | undefined };

/** A fact and when it was seen. */
export type SeenEvent = SeenFact & {
  /** From 1. */
  readonly n: number;
  /** Milliseconds since the simulation began. */
  readonly atMs: number;
  /** The number of the newest event of the trace at that time. */
  readonly traced: number;
};

/** A recorded frame. */
export type SeenFrame = EventStamp & FrameEvent;

interface SeenLogEvents {
  added(): void;
}

/** Further events of an agent are only counted. */
const MAX_EVENTS = 20_000;

/** The log of what agents do, in order. */
export class SeenLog {
  readonly events: SeenEvent[] = [];
  /** Every frame, verbatim. */
  readonly trace: EventLog;
  /** How many events were dropped because there were too many. */
  droppedEvents = 0;
  readonly #listeners = new Emitter<SeenLogEvents>();
  /** The `clientInfo` of the agent of each connection. */
  readonly #agents = new Map<string, unknown>();
  readonly #editor: string;
  #connections = 0;

  /**
   * @param trace where agents are recorded
   * @param editor the name of the editor to which they connect
   */
  constructor(trace: EventLog, editor: string) {
    this.trace = trace;
    this.#editor = editor;
    this.trace.on("append", (event) => this.#look(event));
  }

  get nowMs(): number {
    return this.trace.nowMs;
  }

  /** The retained frames, oldest first. */
  get frames(): readonly SeenFrame[] {
    return this.trace.events.filter((event): event is SeenFrame => event.ev === "frame");
  }

  on<E extends keyof SeenLogEvents>(event: E, listener: SeenLogEvents[E]): Unsubscribe {
    return this.#listeners.on(event, listener);
  }

  add(fact: SeenFact): void {
    const { events, trace } = this;
    if (events.length >= MAX_EVENTS) this.droppedEvents += 1;
    else events.push({ ...fact, n: events.length + 1, atMs: trace.nowMs, traced: trace.last });
    this.#listeners.emit("added");
  }

  /** Records what passes over the transport of one agent; the log owns it from then on. */
  watch(transport: Transport): Transport {
    this.#connections += 1;
    const ch = `c${this.#connections}`;
    return recordTransport(transport, { log: this.trace, ch, sends: "ide>agent" });
  }

  #look(event: TraceEvent): void {
    if (event.ev === "open") this.add({ kind: "connected", editor: this.#editor });
    else if (event.ev === "control" && event.op === "refused") {
      this.add({ kind: "refused", editor: this.#editor });
    } else if (event.ev === "close") {
      const { ch, code, reason } = event;
      this.#agents.delete(ch);
      this.add({ kind: "disconnected", code, reason });
    } else if (event.ev === "frame" && event.dir === "agent>ide") {
      for (const message of frameMessages(event.raw, true)) this.#addMessage(event.ch, message);
    }
  }

  #addMessage(ch: string, { id, method, params }: RawMessage): void {
    if (typeof method !== "string") return;
    if (method === "initialize" && isObject(params)) this.#agents.set(ch, params["clientInfo"]);
    this.add({ kind: id === undefined ? "notification" : "request", method, params });
    if (method === "notifications/initialized") {
      this.add({ kind: "initialized", agent: this.#agents.get(ch) });
    }
  }
}

/** Logs the outcomes of an editor's diffs. */
export function watchDiffs(
  { diffs }: InMemoryEditor,
  log: SeenLog,
  nameOf: (request: DiffRequest) => string,
): void {
  const add = (request: DiffRequest, outcome: DiffOutcome["kind"] | "shown"): void =>
    log.add({ kind: "diff", outcome, path: nameOf(request), title: request.title });
  diffs.events.on("diffOpened", ({ request }) => add(request, "shown"));
  diffs.events.on("diffClosed", ({ request }, { kind }) => add(request, kind));
}
