import type { EditorChange } from "@idewire/core";

/** Who speaks to whom. */
export type Direction = "agent>ide" | "ide>agent";

/** The other way. */
export function opposite(dir: Direction): Direction {
  return dir === "agent>ide" ? "ide>agent" : "agent>ide";
}

/** What every event has. */
export interface EventStamp {
  /** Counts from 1, without a gap where nothing was dropped: the name of the event in its log. */
  readonly n: number;
  /** Milliseconds since the log began. */
  readonly t: number;
  /** The event that brought this one about. */
  readonly by?: number;
}

/** A connection came to be. */
export interface OpenEvent {
  readonly ev: "open";
  /** Names the connection. */
  readonly ch: string;
  /** The subprotocol that was agreed on, where there is such a thing. */
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

/** A message that a wire may carry and no text can say. */
export type FrameForm = "binary" | "not-utf8";

/** One frame, to the letter as it was sent or came. */
export interface FrameEvent {
  readonly ev: "frame";
  readonly ch: string;
  readonly dir: Direction;
  readonly raw: string;
  /** What it is where it is no text: then `raw` is the bytes, as base64. */
  readonly form?: FrameForm;
  /** So many bytes it had, and `raw` is only the beginning of them. */
  readonly cut?: number;
  /** In so many pieces it came, where it was more than one. */
  readonly pieces?: number;
  /** The fault that made it what it is, or kept it from arriving. */
  readonly fault?: string;
  /** It was sent, and never arrived. */
  readonly lost?: boolean;
}

/** What a page never sees by itself: pings, pongs, the handshake's headers. */
export interface ControlEvent {
  readonly ev: "control";
  readonly ch: string;
  readonly dir: Direction;
  readonly op: "ping" | "pong" | "upgrade" | "refused";
  readonly text?: string;
}

/** A discovery file came or went; its token is never in a log. */
export interface LockEvent {
  readonly ev: "lock";
  readonly what: "created" | "removed";
  readonly file: string;
}

/** The person, or the agent's model, did something. */
export interface ActionEvent {
  readonly ev: "gesture";
  readonly who: "person" | "agent";
  /** In words: `selects line 3 of notes.md`. */
  readonly text: string;
}

/** What the agent shows its person, or what idewire has to say. */
export interface TranscriptEvent {
  readonly ev: "transcript";
  readonly text: string;
  /** The agent when left out. */
  readonly who?: "idewire";
}

/** A fault was switched on or off, or struck. */
export interface FaultEvent {
  readonly ev: "fault";
  readonly text: string;
}

/** The editor's state changed. */
export interface EditorEvent {
  readonly ev: "editor";
  readonly change: EditorChange;
}

/** What an event tells, without its stamp. */
export type TraceFact =
  | OpenEvent
  | CloseEvent
  | FrameEvent
  | ControlEvent
  | LockEvent
  | ActionEvent
  | TranscriptEvent
  | FaultEvent
  | EditorEvent;

/** One line of a log. */
export type TraceEvent = EventStamp & TraceFact;

/** The names of the kinds, as a trace file spells them. */
export type EventKind = TraceFact["ev"];
