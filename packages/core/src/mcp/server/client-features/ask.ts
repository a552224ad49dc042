import { Call } from "../../../rpc/call.ts";
import type { Params } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";

/**
 * Sends a request to a client. By default it has no time-out, since a person may have to answer; a
 * request on behalf of a call is cancelled together with the call.
 * @throws IdewireError `protocol`, before anything is sent, when the client lacks the capability
 */
export function ask(
  client: ClientOf,
  method: string,
  params?: Params,
  options?: RequestOptions,
): Promise<unknown> {
  return connectionOf(client).request(method, params, {
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(client instanceof Call && { signal: client.signal }),
    ...options,
  });
}
