import { Conversation, type TracedEvent } from "../conversation/conversation.ts";
import type { EventStamp, FrameEvent, FrameForm, TraceEvent } from "../format/trace-event.ts";
import { checkBroken, checkCharacters } from "./check-encoding.ts";
import { checkEnvelope } from "./check-envelope.ts";
import { type Problem, problem } from "./problem.ts";
import type { ProblemLayer } from "./problem-layer.ts";
import { ProtocolState } from "./protocol-state.ts";

/** Further problems of a frame are not useful, and a hostile frame could exhaust memory with them. */
const MAX_PROBLEMS = 40;
const MAX_BATCH = 1000;
const none: readonly Problem[] = [];

/**
 * The problems of the frames of a log, updated as events are added: of the encoding, JSON-RPC, MCP,
 * the claude-code dialect, and the state of the connection. Never throws.
 */
export class ProblemIndex {
  readonly #found = new Map<number, readonly Problem[]>();
  readonly #connections = new Map<string, ProtocolState>();
  readonly #conversation = new Conversation();
  #seen = 0;

  /** The number of the newest event that was checked. */
  get seen(): number {
    return this.#seen;
  }

  /** How many frames have a problem. */
  get frames(): number {
    return this.#found.size;
  }

  /** The problems of the frame that is event number `n`. */
  of(n: number): readonly Problem[] {
    return this.#found.get(n) ?? none;
  }

  /** The layers in which that frame has problems. */
  layersOf(n: number): readonly ProblemLayer[] {
    return [...new Set(this.of(n).map(({ layer }) => layer))];
  }

  /** Checks the next event of the log. */
  add(event: TraceEvent): void {
    if (event.n > this.#seen + 1 && this.#seen > 0) this.#miss();
    this.#seen = event.n;
    switch (event.ev) {
      case "open":
        this.#connections.set(event.ch, new ProtocolState(true));
        break;
      case "close":
        this.#connections.get(event.ch)?.close();
        break;
      default:
    }
    if (event.ev !== "frame") {
      this.#conversation.add(event);
      return;
    }
    const problems = this.#check(event);
    if (problems.length > 0) this.#found.set(event.n, problems.slice(0, MAX_PROBLEMS));
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    for (const n of this.#found.keys()) if (n < first) this.#found.delete(n);
    this.#conversation.drop(first);
    this.#miss();
  }

  /** Events were dropped, as happens under load: their requests and negotiated parameters are unknown. */
  #miss(): void {
    for (const connection of this.#connections.values()) connection.missed();
  }

  #check(event: EventStamp & FrameEvent): readonly Problem[] {
    const hasMark = event.raw.startsWith("\ufeff");
    const raw = hasMark ? event.raw.slice(1) : event.raw;
    const read = this.#conversation.add({ ...event, raw });
    const connection = this.#connectionOf(event.ch);
    const found = hasMark
      ? [problem("encoding.byte-order-mark", { expected: "{", got: "U+FEFF" })]
      : [];
    switch (read.unread) {
      case "cut":
      case "costly":
        return [];
      case "not-json":
        return [...found, ...connection.checkFrame(), checkBroken(raw)];
      case undefined:
        break;
      default:
        return [notText(read.unread)];
    }
    const values = read.messages.map(({ value }) => value);
    const isBatch = read.kind === "batch";
    found.push(...checkCharacters(raw, isBatch ? values : values[0]), ...connection.checkFrame());
    if (isBatch) found.push(...checkBatch(values, connection));
    for (const problems of checkMessages(event, read, connection)) found.push(...problems);
    return found;
  }

  #connectionOf(ch: string): ProtocolState {
    let connection = this.#connections.get(ch);
    if (connection === undefined) {
      connection = new ProtocolState(false);
      this.#connections.set(ch, connection);
    }
    return connection;
  }
}

function* checkMessages(
  { dir, lost = false }: FrameEvent,
  { messages, ended }: TracedEvent,
  connection: ProtocolState,
): Generator<readonly Problem[]> {
  const reused = new Set(
    ended.flatMap(({ why, pointer }) => (why === "id-reused" ? [pointer] : [])),
  );
  for (const message of messages.slice(0, MAX_BATCH)) {
    yield checkEnvelope(message.value, message.pointer);
    yield connection.take(message, { dir, lost, reusesId: reused.has(message.pointer) });
  }
}

function notText(form: FrameForm): Problem {
  const got = form === "binary" ? "a binary message" : "bytes that are not UTF-8";
  return problem("encoding.not-text", { expected: "a text message, in UTF-8", got });
}

function checkBatch(value: readonly unknown[], { revision }: ProtocolState): readonly Problem[] {
  if (value.length === 0) {
    return [problem("rpc.not-a-message", { expected: "one message or more", got: "[]" })];
  }
  if (revision === "2025-03-26") return [];
  const negotiated =
    revision === undefined ? "no revision was negotiated" : `${revision} was negotiated`;
  const got = `${value.length} messages in one frame; ${negotiated}`;
  return [problem("mcp.batch", { expected: "one message a frame", got })];
}
