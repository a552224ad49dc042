import { IncomingMessage } from "node:http";

/**
 * The request class of a server that reads only the head of an unauthenticated client's request. Such requests, of
 * any kind, are passed to the listener for upgrades: a parser would go on to read the body, or the thousand
 * further requests that one chunk can contain.
 */
export function headOnlyUnless(
  isAdmitted: (request: IncomingMessage) => boolean,
): typeof IncomingMessage {
  return class extends IncomingMessage {
    #isHeadOnly: boolean | undefined;

    /** Read by Node as soon as the head is complete. */
    get upgrade(): boolean {
      this.#isHeadOnly ??= !isAdmitted(this);
      return this.#isHeadOnly;
    }

    /** Node's interpretation of the head is ignored. */
    set upgrade(_: unknown) {}
  };
}

/** Whether only the head of a request is read; also for requests of another class. */
export function isHeadOnly(request: IncomingMessage & { readonly upgrade?: boolean }): boolean {
  return request.upgrade !== false;
}
