import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import type {
  ResourceContents,
  ResourceDescription,
  ResourceTemplateDescription,
} from "../content.ts";
import { badResult } from "../refusals.ts";
import type { McpClient } from "./client.ts";
import { listAll } from "./list-all.ts";

// The client's side of MCP 2025-11-25, Server / Resources.

const READ = "resources/read";

/** All resources that the server lists, page after page. */
export function listResources(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly ResourceDescription[]> {
  return listAll(client, { method: "resources/list", member: "resources" }, options);
}

/** All templates that the server lists, page after page. */
export function listResourceTemplates(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly ResourceTemplateDescription[]> {
  const method = "resources/templates/list";
  return listAll(client, { method, member: "resourceTemplates" }, options);
}

/**
 * What is in a resource: more than one item when it is a folder or the like.
 * @throws RpcError -32002, of some servers -32602, when there is no such resource
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
  throw badResult("server", READ, answer);
}

/** How often each resource is watched: the server knows of one subscription only. */
const watched = new WeakMap<McpClient, Map<string, number>>();

/**
 * Hears of it when a resource reads differently. The last undo also tells the server.
 * @throws IdewireError `protocol`, before anything is sent, when the server has no subscriptions
 */
export async function subscribeResource(
  client: McpClient,
  uri: string,
  listener: () => void,
): Promise<Unsubscribe> {
  const { resources } = client.server.capabilities;
  if (!isObject(resources) || resources["subscribe"] !== true) {
    throw new IdewireError("protocol", "resources/subscribe needs a server with subscriptions");
  }
  const stop = client.on("notifications/resources/updated", (params) => {
    if (params?.["uri"] === uri) listener();
  });
  count(client, uri, 1);
  let isOver = false;
  const end = () => {
    if (isOver) return false;
    isOver = true;
    stop();
    return count(client, uri, -1) === 0;
  };
  try {
    await client.peer.request("resources/subscribe", { uri });
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    // Whoever has gone has forgotten it already.
    if (end()) client.peer.request("resources/unsubscribe", { uri }).catch(() => {});
  };
}

function count(client: McpClient, uri: string, more: number): number {
  const counts = watched.get(client) ?? new Map<string, number>();
  watched.set(client, counts);
  const now = (counts.get(uri) ?? 0) + more;
  if (now === 0) counts.delete(uri);
  else counts.set(uri, now);
  return now;
}
