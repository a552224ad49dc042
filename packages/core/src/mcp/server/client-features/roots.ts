import { isObject } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import { badResult } from "../../refusals.ts";
import { LIST_ROOTS, ROOTS_LIST_CHANGED, type Root } from "../../roots.ts";
import type { ClientOf } from "../connection-of.ts";
import type { ServerConnection } from "../server-connection.ts";
import type { ServerFeature } from "../server-feature.ts";
import { ask } from "./ask.ts";

/**
 * Requests the roots of a client.
 * @throws IdewireError `protocol`, before anything is sent, when it has not announced the capability;
 * and for an answer that is not a list of file: URIs
 */
export async function listRoots(
  client: ClientOf,
  options?: RequestOptions,
): Promise<readonly Root[]> {
  const answer = await ask(client, LIST_ROOTS, undefined, options);
  const roots = isObject(answer) ? answer["roots"] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw badResult("client", LIST_ROOTS, answer);
}

/**
 * Calls a listener when a client's roots have changed; {@link listRoots} then returns the new ones.
 */
export function onRootsChanged<Context = unknown>(
  listener: (connection: ServerConnection<Context>) => void,
): ServerFeature<Context> {
  return {
    capabilities: () => ({}),
    notifications: { [ROOTS_LIST_CHANGED]: (_, connection) => listener(connection) },
  };
}

function isRoot(value: unknown): value is Root {
  const uri = isObject(value) ? value["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith("file://");
}
