import { Call } from "../../../rpc/call.ts";
import type { Params } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";

/**
 * Asks a client something. It waits for ever when nothing else is said, as a person may have to
 * answer; when it is asked to answer a call, it is asked no longer than that call is wanted.
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
