import type { HttpRefusal } from "./http-refusal.ts";
import type { JsonBody } from "./json-body.ts";
import type { Admission, RequestHead } from "./request-head.ts";
import type { Responder } from "./responder.ts";

/** An accepted request, with the means to answer it. */
export interface Incoming<Context> {
  readonly head: RequestHead;
  readonly admission: Admission<Context>;
  readonly responder: Responder;
  /**
   * Calls back once, with the body or the reason that there is none; a promise would cost more than the reading.
   * @param holder counts the bytes that were read
   */
  readBody(holder: BodyHolder, done: (body: JsonBody | HttpRefusal) => void): void;
}

/** Counts the bytes of a body. */
export interface BodyHolder {
  /**
   * @param bytes how much of the body was read so far
   * @returns the reason to stop reading; undefined to go on
   */
  hold(bytes: number): HttpRefusal | undefined;
}
