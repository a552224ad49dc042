import { badResult } from "../../../rpc/bad-result.ts";
import { isObject } from "../../../rpc/message.ts";
import { LIST_ROOTS, ROOTS_LIST_CHANGED, type Root } from "../../roots.ts";
import type { AskOptions, Caller, ClientOf } from "../caller.ts";
import type { ServerFeature } from "../server-feature.ts";
import { ask } from "./ask.ts";

/**
 * Requests the roots of a client.
 * @throws IdewireError `protocol`, before anything is sent, when it has not announced the capability
 * (RpcError -32021 in the modern era); and for an answer that is not a list of file: URIs
 */
export function listRoots(client: ClientOf, options?: AskOptions): Promise<readonly Root[]> {
  const toQuestion = () => ({ method: LIST_ROOTS, parse: parseRoots });
  return ask(client, { capability: "roots", toQuestion }, options);
}

function parseRoots(answer: unknown): readonly Root[] {
  const roots = isObject(answer) ? answer["roots"] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw badResult("client", LIST_ROOTS, answer);
}

/**
 * Calls a listener when a client's roots have changed; {@link listRoots} then returns the new ones.
 */
export function onRootsChanged<Context = unknown>(
  listener: (client: Caller<Context>) => void,
): ServerFeature<Context> {
  return {
    capabilities: () => ({}),
    notifications: { [ROOTS_LIST_CHANGED]: (_, caller) => listener(caller) },
  };
}

function isRoot(value: unknown): value is Root {
  const uri = isObject(value) ? value["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith("file://");
}
