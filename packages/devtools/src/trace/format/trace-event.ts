import type { EditorChange, RequestId } from "@idewire/core/internal";

/** The direction of a frame: sender, then receiver. */
export type Direction = "agent>ide" | "ide>agent";

/** The opposite direction. */
export function opposite(dir: Direction): Direction {
  return dir === "agent>ide" ? "ide>agent" : "agent>ide";
}

/** The members that every event has. */
export interface EventStamp {
  /** The number of the event in its log, from 1; without gaps unless events were dropped. */
  readonly n: number;
  /** Milliseconds since the log began. */
  readonly t: number;
  /** The number of the event that caused this one. */
  readonly by?: number;
  /** Set when a person has marked it: the note, which may be empty. */
  readonly mark?: string;
}

/** A connection was opened. */
export interface OpenEvent {
  readonly ev: "open";
  /** Names the connection. */
  readonly ch: string;
  /** The negotiated subprotocol, if the transport has one. */
  readonly protocol?: string;
}

/** A connection ended. */
export interface CloseEvent {
  readonly ev: "close";
  readonly ch: string;
  /** A close code of RFC 6455. */
  readonly code: number;
  readonly reason: string;
}

/** The form of a message that is not text. */
export type FrameForm = "binary" | "not-utf8";

/** One frame, verbatim. */
export interface FrameEvent {
  readonly ev: "frame";
  readonly ch: string;
  readonly dir: Direction;
  readonly raw: string;
  /** Set when the frame is not text: then `raw` is its bytes as base64. */
  readonly form?: FrameForm;
  /** The size of the whole frame, when `raw` is only its beginning. */
  readonly cut?: number;
  /** The number of WebSocket frames that carried it, when more than one. */
  readonly pieces?: number;
  /** The injected fault that changed or dropped it. */
  readonly fault?: string;
  /** It was sent but never arrived. */
  readonly lost?: boolean;
}

/** Traffic that browsers hide from pages: pings, pongs, the headers of the upgrade. */
export interface ControlEvent {
  readonly ev: "control";
  readonly ch: string;
  readonly dir: Direction;
  readonly op: "ping" | "pong" | "upgrade" | "refused";
  readonly text?: string;
}

/** A header's name, in lower case, with its value. */
export type HttpHeader = readonly [name: string, value: string];

/** A JSON-RPC message in the body of a request. */
export interface CarriedMessage {
  /** `answer` for a message without one. */
  readonly method: string;
  readonly id?: string | number;
}

/** A part of an HTTP exchange; its frames are events of their own. Secrets in it are redacted. */
export interface HttpEvent {
  readonly ev: "http";
  readonly ch: string;
  /** Numbers the exchange among those of its connection. */
  readonly exchange: number;
  /** `event` is one of a stream. */
  readonly part: "request" | "response" | "event" | "end";
  /** Of a request, as are the next four. */
  readonly method?: string;
  readonly url?: string;
  /** Of a request of the person's browser only the address is known. */
  readonly browser?: true;
  /** Its JSON-RPC messages, which are frames of their own. */
  readonly carries?: readonly CarriedMessage[];
  /** Also of a response. */
  readonly headers?: readonly HttpHeader[];
  readonly status?: number;
  /** Of an event, as are the next three. */
  readonly id?: string;
  /** Its type, if it is not `message`. */
  readonly type?: string;
  /** The delay before a resumption, in milliseconds. */
  readonly retry?: number;
  /** UTF-16 units of its data. */
  readonly units?: number;
  /** Of the end: bytes of the body of the response. */
  readonly bytes?: number;
  /** A body other than JSON-RPC: of a request, or at the end that of its response. */
  readonly text?: string;
  /** Of the end: why there was no response, or only a part of it. */
  readonly problem?: string;
}

/**
 * A request has failed at its sender and gets no answer: only a transport that carries each request by itself, such as
 * HTTP's, knows this before the connection ends.
 */
export interface FailedEvent {
  readonly ev: "failed";
  readonly ch: string;
  /** That of the request. */
  readonly dir: Direction;
  readonly id: RequestId;
  readonly reason: string;
}

/** A discovery file was created or removed; its token is never in a log. */
export interface LockEvent {
  readonly ev: "lock";
  readonly what: "created" | "removed";
  readonly file: string;
}

/** The person, or the agent's model, did something. */
export interface ActionEvent {
  readonly ev: "action";
  readonly who: "person" | "agent";
  /** In words: `selects line 3 of notes.md`. */
  readonly text: string;
}

/** A text that the agent shows in its terminal, or a message of idewire. */
export interface TranscriptEvent {
  readonly ev: "transcript";
  readonly text: string;
  /** The agent when left out. */
  readonly who?: "idewire";
}

/** A fault was switched on or off, or was injected. */
export interface FaultEvent {
  readonly ev: "fault";
  readonly text: string;
}

/** The editor's state changed. */
export interface EditorEvent {
  readonly ev: "editor";
  readonly change: EditorChange;
}

/** An event without its stamp. */
export type TraceFact =
  | OpenEvent
  | CloseEvent
  | FrameEvent
  | ControlEvent
  | HttpEvent
  | FailedEvent
  | LockEvent
  | ActionEvent
  | TranscriptEvent
  | FaultEvent
  | EditorEvent;

/** One line of a log. */
export type TraceEvent = EventStamp & TraceFact;

/** The kinds of events, as a trace file spells them. */
export type EventKind = TraceFact["ev"];
