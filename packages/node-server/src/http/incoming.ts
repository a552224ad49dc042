import type { JsonBody } from "./read-json.ts";
import type { Admission, RequestHead } from "./request-head.ts";
import type { Responder } from "./responder.ts";

/** A request that is let in, with the means to answer it. */
export interface Incoming<Context> {
  readonly head: RequestHead;
  readonly admission: Admission<Context>;
  readonly responder: Responder;
  /** Rejects with what is Refused. */
  readBody(): Promise<JsonBody>;
}
