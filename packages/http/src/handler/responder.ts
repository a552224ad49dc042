import type { HttpRefusal } from "./http-refusal.ts";

export type HttpHeaders = Readonly<Record<string, string>>;

/** Writes the answer to one HTTP request: whole, or as a stream of events. */
export interface Responder {
  /** Whether the answer is complete, or the client has left. */
  readonly ended: boolean;
  /** Bytes that the client has not read yet. */
  readonly bufferedAmount: number;
  /** Adds headers to the answer, whatever it is. */
  addHeaders(headers: HttpHeaders): void;
  /** Writes a whole answer of known length: head and body leave in one write. */
  answer(status: number, headers: HttpHeaders, body?: string): void;
  /** Answers a request that is refused before the end of its body: the rest of the body is dropped. */
  refuse(refused: HttpRefusal): void;
  /** Begins a stream of server-sent events. */
  begin(headers: HttpHeaders): void;
  /** Continues the stream. */
  write(text: string): void;
  /** Ends the stream. */
  end(): void;
  /** Aborts: unsent bytes are lost. */
  destroy(): void;
  /** Calls back once: when the answer is complete or the client leaves, at once if it has left already. */
  onClose(listener: () => void): void;
  /** Calls back after each write: `bufferedAmount` may have grown. */
  onWrite(listener: () => void): void;
  /** Calls back whenever the client has read all written bytes. */
  onDrain(listener: () => void): void;
}

/** The headers of an event stream. */
export const eventHeaders: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
