import { isCostly } from "@idewire/core";
import type { FrameEvent, FrameForm, TraceEvent } from "../format/trace-event.ts";
import { decodeFrame } from "./check-encoding.ts";
import { checkEnvelope } from "./check-envelope.ts";
import { type Problem, problem } from "./problem.ts";
import type { ProblemLayer } from "./problem-layer.ts";
import { ProtocolState } from "./protocol-state.ts";

/** More problems of one frame are noise, and would let a hostile frame fill the memory. */
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

  /** Takes the next event of the log. */
  add(event: TraceEvent): void {
    this.#seen = event.n;
    switch (event.ev) {
      case "open":
        this.#connections.set(event.ch, new ProtocolState(true));
        break;
      case "close":
        this.#connections.get(event.ch)?.close();
        break;
      case "frame": {
        const problems = this.#check(event);
        if (problems.length > 0) this.#found.set(event.n, problems.slice(0, MAX_PROBLEMS));
        break;
      }
      default:
    }
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    for (const n of this.#found.keys()) if (n < first) this.#found.delete(n);
  }

  #check({ ch, dir, raw, form, cut, lost = false }: FrameEvent): readonly Problem[] {
    const connection = this.#connectionOf(ch);
    if (form !== undefined) return [noText(form)];
    // The rest of a cut frame is unknown, and a costly one is not parsed.
    if (cut !== undefined || isCostly(raw)) return [];
    const { value, problems } = decodeFrame(raw);
    const found = [...problems, ...connection.checkFrame()];
    if (problems.some(({ code }) => code === "encoding.not-json")) return found;
    const take = (message: unknown, pointer: string): void => {
      const envelope = checkEnvelope(message, pointer);
      found.push(...envelope);
      if (envelope.some(({ code }) => code === "rpc.not-a-message")) return;
      found.push(...connection.take(message as object, { dir, pointer, lost }));
    };
    if (!Array.isArray(value)) take(value, "");
    else {
      found.push(...checkBatch(value, connection));
      for (const [at, message] of value.slice(0, MAX_BATCH).entries()) take(message, `/${at}`);
    }
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

function noText(form: FrameForm): Problem {
  const got = form === "binary" ? "a binary message" : "bytes that are not UTF-8";
  return problem("encoding.not-text", { expected: "a text message, in UTF-8", got });
}

function checkBatch(value: readonly unknown[], { revision }: ProtocolState): readonly Problem[] {
  if (value.length === 0) {
    return [problem("rpc.not-a-message", { expected: "one message or more", got: "[]" })];
  }
  if (revision === "2025-03-26") return [];
  const agreed = revision === undefined ? "no revision was agreed on" : `${revision} was agreed on`;
  const got = `${value.length} messages in one frame; ${agreed}`;
  return [problem("mcp.batch", { expected: "one message a frame", got })];
}
