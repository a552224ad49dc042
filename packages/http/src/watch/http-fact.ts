/** A header's name, in lower case, with its value. */
export type HttpHeader = readonly [name: string, value: string];

/** A JSON-RPC message in a body. */
export interface CarriedMessage {
  /** `answer` for a message without one. */
  readonly method: string;
  readonly id?: string | number;
}

interface Part {
  /** Numbers the request among those of its watch, from 1. */
  readonly exchange: number;
}

/** A request is sent. */
export interface HttpRequestFact extends Part {
  readonly part: "request";
  readonly method: string;
  readonly url: string;
  /** Of a request of the person's browser only the address is known. */
  readonly browser?: true;
  readonly headers: readonly HttpHeader[];
  /** The JSON-RPC messages in its body. */
  readonly carries?: readonly CarriedMessage[];
  /** Any other body. */
  readonly text?: string;
}

/** The head of a response has arrived. */
export interface HttpResponseFact extends Part {
  readonly part: "response";
  readonly status: number;
  readonly headers: readonly HttpHeader[];
}

/** An event of a stream has arrived, or the delay before a resumption. */
export interface HttpStreamFact extends Part {
  readonly part: "event";
  readonly id?: string;
  /** Its type, if it is not `message`. */
  readonly type?: string;
  /** In milliseconds. */
  readonly retry?: number;
  /** UTF-16 units of its data. */
  readonly units: number;
}

/** Nothing more will arrive. */
export interface HttpEndFact extends Part {
  readonly part: "end";
  /** Bytes of the body that were read. */
  readonly bytes: number;
  /** The body, unless it consists of JSON-RPC messages; only its beginning if it is long. */
  readonly text?: string;
  /** Why there was no response, or only a part of it. */
  readonly problem?: string;
}

/** An event on the wire of HTTP. */
export type HttpFact = HttpRequestFact | HttpResponseFact | HttpStreamFact | HttpEndFact;
