import type { WireMessage } from "./wire.ts";
import { isObject, sleep } from "./wire.ts";

/** Why a client ignored a frame of the server. */
export type DropReason =
  | "deaf"
  | "null"
  | "schema"
  | "ignored"
  | "unknown-method"
  | "unparsable"
  | "binary"
  | "unknown-id"
  | "late-answer";

export type EntryBody =
  | { readonly kind: "in" | "out"; readonly frame: WireMessage }
  | { readonly kind: "dropped"; readonly frame: unknown; readonly reason: DropReason }
  | { readonly kind: "state"; readonly state: string; readonly detail: string };

/** An entry of a reference client's transcript; `connection` counts its sockets from 1. */
export type Entry = EntryBody & { readonly atMs: number; readonly connection: number };

/** A rule of the reference that the server broke. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** Everything that a reference client sends, receives, drops and reports as a violation, in order. */
export class Transcript {
  readonly entries: Entry[] = [];
  readonly violations: Violation[] = [];
  /** The number of the socket of new entries. */
  connection = 0;

  add(body: EntryBody): void {
    this.entries.push({ ...body, atMs: performance.now(), connection: this.connection });
  }

  violate(rule: string, detail: string): void {
    this.violations.push({ rule, detail });
  }

  rules(): string[] {
    return [...new Set(this.violations.map((violation) => violation.rule))].sort();
  }

  /** Messages sent by the client, of a method and a connection if given. */
  sent(method?: string, connection?: number): WireMessage[] {
    return this.#frames("out", method, connection);
  }

  received(method?: string, connection?: number): WireMessage[] {
    return this.#frames("in", method, connection);
  }

  /** The client's calls of a tool. */
  calls(tool: string, connection?: number): WireMessage[] {
    return this.sent("tools/call", connection).filter(
      (frame) => isObject(frame.params) && frame.params["name"] === tool,
    );
  }

  dropped(reason?: DropReason): unknown[] {
    return this.entries.flatMap((entry) =>
      entry.kind === "dropped" && (reason === undefined || entry.reason === reason)
        ? [entry.frame]
        : [],
    );
  }

  states(): string[] {
    return this.entries.flatMap((entry) => (entry.kind === "state" ? [entry.state] : []));
  }

  /** The time of each entry of a state, in milliseconds. */
  stateTimes(state: string): number[] {
    return this.entries.flatMap((entry) =>
      entry.kind === "state" && entry.state === state ? [entry.atMs] : [],
    );
  }

  #frames(kind: "in" | "out", method: string | undefined, connection: number | undefined) {
    return this.entries.flatMap((entry) =>
      entry.kind === kind &&
      (method === undefined || entry.frame.method === method) &&
      (connection === undefined || entry.connection === connection)
        ? [entry.frame]
        : [],
    );
  }
}

/** How long a test waits for an expected event: a limit for hanging, not for slowness. */
export const TIMEOUT_MS = 60_000;

/** Waits until `check` returns something other than undefined or false; fails by the real clock. */
export async function until<T>(
  what: string,
  check: () => T | undefined | false,
  timeoutMs: number = TIMEOUT_MS,
  context: () => string = () => "",
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const value = check();
    if (value !== undefined && value !== false) return value;
    const waitedMs = performance.now() - start;
    if (waitedMs > timeoutMs) {
      throw new Error(`not within ${timeoutMs} ms: ${what}${context()}`);
    }
    // Polls less often over time, to leave CPU time to the awaited process.
    await sleep(Math.min(20, 2 + waitedMs / 50));
  }
}
