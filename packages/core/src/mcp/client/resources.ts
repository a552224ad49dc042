import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type {
  ResourceContents,
  ResourceDescription,
  ResourceTemplateDescription,
} from "../content.ts";
import { UPDATED } from "../modern-keys.ts";
import type { McpClient } from "./client.ts";
import { listAll, pagesOf } from "./list-all.ts";
import { changesOf } from "./modern/changes.ts";
import type { FollowedChange } from "./subscription.ts";

// MCP 2025-11-25, Server / Resources: the client's end.

const READ = "resources/read";

/** All resources that the server lists, from all pages. */
export function listResources(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly ResourceDescription[]> {
  return listAll(client, { method: "resources/list", member: "resources" }, options);
}

/** The resources that the server lists, page by page. */
export function resourcePages(
  client: McpClient,
  options?: RequestOptions,
): AsyncIterable<readonly ResourceDescription[]> {
  return pagesOf(client, { method: "resources/list", member: "resources" }, options);
}

/** All resource templates of the server, from all pages. */
export function listResourceTemplates(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly ResourceTemplateDescription[]> {
  const method = "resources/templates/list";
  return listAll(client, { method, member: "resourceTemplates" }, options);
}

/**
 * The contents of a resource; several items for a folder, for example.
 * @throws RpcError -32002, from some servers -32602, when the resource does not exist
 */
export async function readResource(
  client: McpClient,
  uri: string,
  options?: RequestOptions,
): Promise<readonly ResourceContents[]> {
  const answer = await client.request("resources", READ, { uri }, options);
  if (isObject(answer) && Array.isArray(answer["contents"])) {
    return answer["contents"] as readonly ResourceContents[];
  }
  throw badResult("server", READ, answer, client);
}

/** How many listeners each resource has; the server counts a single subscription. */
const watched = new WeakMap<McpClient, Map<string, number>>();

const SUBSCRIBE = "resources/subscribe";

/**
 * Calls a listener when the contents of a resource have changed, and when the connection was reopened, as
 * they may have changed before. The last undo also ends the server's subscription.
 * @throws IdewireError `protocol`, before anything is sent, when the server does not support it
 */
export async function subscribeResource(
  client: McpClient,
  uri: string,
  listener: () => void,
): Promise<Unsubscribe> {
  const { resources } = client.server.capabilities;
  if (!isObject(resources) || resources["subscribe"] !== true) {
    throw new IdewireError("protocol", `${SUBSCRIBE} requires a server with resources.subscribe`);
  }
  const stop = client.on(UPDATED, (params) => {
    if (params?.["uri"] === uri) listener();
  });
  // Whichever era the server is found in, now or when it is reached again, one of the two is without effect.
  const followed = changesOf(client).follow(uri);
  const stopRestoring = client.onReopen(() => {
    if (client.modern !== undefined) listener();
    // What fails with the connection is repeated by the next reopening.
    else client.peer.request(SUBSCRIBE, { uri }).then(listener, () => {});
  });
  count(client, uri, 1);
  let isOver = false;
  const end = () => {
    if (isOver) return false;
    isOver = true;
    stop();
    followed.end();
    stopRestoring();
    return count(client, uri, -1) === 0;
  };
  try {
    await subscribe(client, uri, followed);
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    // A failure means that the connection is closed, and the subscription with it.
    if (end() && client.modern === undefined)
      client.peer.request("resources/unsubscribe", { uri }).catch(() => {});
  };
}

/** @throws IdewireError `protocol` for a resource whose changes the server does not tell */
async function subscribe(
  client: McpClient,
  uri: string,
  { agreed }: FollowedChange,
): Promise<void> {
  if (client.modern === undefined) await client.request("resources", SUBSCRIBE, { uri });
  else if ((await agreed).resourceSubscriptions?.includes(uri) !== true) {
    const text = `The server does not tell of changes of ${describeValue(uri)}`;
    throw new IdewireError("protocol", text);
  }
}

function count(client: McpClient, uri: string, more: number): number {
  const counts = watched.get(client) ?? new Map<string, number>();
  watched.set(client, counts);
  const now = (counts.get(uri) ?? 0) + more;
  if (now === 0) counts.delete(uri);
  else counts.set(uri, now);
  return now;
}
