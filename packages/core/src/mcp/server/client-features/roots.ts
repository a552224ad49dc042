import { IdewireError } from "../../../errors.ts";
import { describeValue, isObject } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import type { McpClient } from "../../client/client.ts";
import type { ClientFeature, ClientHandler } from "../../client/client-feature.ts";
import type { Meta } from "../../content.ts";
import type { Capabilities } from "../../protocol.ts";
import type { ClientOf } from "../connection-of.ts";
import type { LegacyServerConnection } from "../legacy-server-connection.ts";
import type { ServerFeature } from "../server-feature.ts";
import { ask } from "./ask.ts";

// MCP 2025-11-25, Client / Roots; the same in all legacy revisions.

const LIST = "roots/list";
const LIST_CHANGED = "notifications/roots/list_changed";

/** A folder or file that a server may work in. */
export interface Root {
  /** A file: URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

/** The client's side: says what the roots are, and when they are others. */
export class Roots implements ClientFeature {
  readonly requests: Readonly<Record<string, ClientHandler>>;
  readonly #clients = new Set<McpClient>();

  /** @param list called each time that a server asks */
  constructor(list: () => readonly Root[] | Promise<readonly Root[]>) {
    this.requests = {
      [LIST]: () => {
        const roots = list();
        return roots instanceof Promise ? roots.then((late) => ({ roots: late })) : { roots };
      },
    };
  }

  capabilities(): Capabilities {
    return { roots: { listChanged: true } };
  }

  attach(client: McpClient): void {
    this.#clients.add(client);
    void client.closed.then(() => this.#clients.delete(client));
  }

  /** Tells every server that the roots are others now. */
  listChanged(): void {
    for (const client of this.#clients) {
      if (client.initialized) client.peer.notify(LIST_CHANGED);
    }
  }
}

/**
 * The server's side: asks a client for its roots.
 * @throws IdewireError `protocol`, before anything is sent, when it has announced none; and for an
 * answer that is no list of file: URIs
 */
export async function listRoots(
  client: ClientOf,
  options?: RequestOptions,
): Promise<readonly Root[]> {
  const answer = await ask(client, LIST, undefined, options);
  const roots = isObject(answer) ? answer["roots"] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw new IdewireError("protocol", `The client answered ${LIST} with ${describeValue(answer)}`);
}

/** The server's side: hears when a client's roots are others; then it has to ask again. */
export function onRootsChanged<Context = unknown>(
  listener: (connection: LegacyServerConnection<Context>) => void,
): ServerFeature<Context> {
  return {
    capabilities: () => ({}),
    notifications: { [LIST_CHANGED]: (_, connection) => listener(connection) },
  };
}

function isRoot(value: unknown): value is Root {
  const uri = isObject(value) ? value["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith("file://");
}
