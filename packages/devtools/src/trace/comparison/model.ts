import type { SurfaceChange } from "../../surface/change.ts";
import type { Direction } from "../format/trace-event.ts";

/** Which of the two sessions. */
export type Side = "a" | "b";

/** A member that differs; the side that does not have it is left out. */
export interface MemberChange {
  /** A JSON pointer, which continues into JSON inside a string. */
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** A request with its answer, a notification, or a malformed frame. */
export interface SessionMessage {
  /** The event number of its frame. */
  readonly n: number;
  readonly dir: Direction;
  readonly kind: "request" | "notification" | "answer" | "malformed";
  /** Undefined when it has none, as a stray answer or a malformed frame. */
  readonly method?: string;
  /** The tool that `tools/call` names. */
  readonly tool?: string;
  /** Its parameters; the text of a malformed frame. */
  readonly params?: unknown;
  /** Of a request that was answered. */
  readonly answer?: SessionAnswer;
}

/** The answer to a request. */
export interface SessionAnswer {
  /** The event number of its frame. */
  readonly n: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The negotiated parameters of both ends. */
export interface SessionHandshake {
  /** The subprotocol, if the transport has one. */
  readonly protocol?: string;
  /** The parameters of `initialize`; undefined when it is not in the trace. */
  readonly params?: unknown;
  readonly answer?: SessionAnswer;
}

/** The lists of an end, by name: its tools, prompts, resources. */
export type SessionLists = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** The messages of one connection of a trace. */
export interface RecordedSession {
  /** Names the connection in the trace. */
  readonly ch: string;
  /** How many frames it has. */
  readonly frames: number;
  /** The name and version of each end. */
  readonly agent?: string;
  readonly ide?: string;
  /** The deepest folder of the files that the editor names, with `/` between names. */
  readonly folder?: string;
  readonly handshake: SessionHandshake;
  /** By kind, such as `tools`; each entry by its name or URI. */
  readonly lists: SessionLists;
  /** In the order in which they were sent, without `initialize` and pings. */
  readonly messages: readonly SessionMessage[];
}

/** A difference in the handshake. */
export interface HandshakeChange extends MemberChange {
  readonly who: "agent" | "editor" | "transport";
}

/** How a list of one end differs, such as its tools. */
export interface ListComparison {
  readonly what: string;
  /** The session in which the list was not requested or not answered. */
  readonly missing?: Side;
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly changed: readonly { readonly name: string; readonly changes: readonly MemberChange[] }[];
}

/** Corresponding messages of both sessions, or one without a counterpart. */
export type ComparedMessages =
  | {
      readonly kind: "same" | "changed";
      readonly a: SessionMessage;
      readonly b: SessionMessage;
      /** Below `/params`, `/result` and `/error`; empty when they are the same. */
      readonly changes: readonly MemberChange[];
    }
  | { readonly kind: "only-a"; readonly a: SessionMessage }
  | { readonly kind: "only-b"; readonly b: SessionMessage };

/** How two sessions differ. */
export interface SessionComparison {
  readonly same: boolean;
  readonly handshake: readonly HandshakeChange[];
  /** Only those that differ. */
  readonly lists: readonly ListComparison[];
  /** How the differences of tools, prompts and resource templates affect a client of the first session. */
  readonly surface: readonly SurfaceChange[];
  /** All messages, each once, in the order of both sessions where they agree. */
  readonly messages: readonly ComparedMessages[];
}
