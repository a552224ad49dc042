import type { HttpRefusal } from "./http-refusal.ts";
import type { JsonBody } from "./json-body.ts";
import type { Admission, RequestHead } from "./request-head.ts";
import type { Responder } from "./responder.ts";

/** A request that is let in, with the means to answer it. */
export interface Incoming<Context> {
  readonly head: RequestHead;
  readonly admission: Admission<Context>;
  readonly responder: Responder;
  /**
   * Calls back once, with the body or why there is none; a promise would cost more than the reading.
   * @param holder counts what was read
   */
  readBody(holder: BodyHolder, done: (body: JsonBody | HttpRefusal) => void): void;
}

/** Counts the bytes of a body. */
export interface BodyHolder {
  /**
   * @param bytes what was read of the body until now
   * @returns why no more may be read
   */
  hold(bytes: number): HttpRefusal | undefined;
}
