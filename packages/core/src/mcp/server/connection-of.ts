import { IdewireError } from "../../errors.ts";
import { Call } from "../../rpc/call.ts";
import { LegacyServerConnection } from "./legacy-server-connection.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A client: its connection, or a call of its that is in progress. */
export type ClientOf<Context = unknown> = ServerConnection<Context> | Call;

/**
 * The connection of a client.
 * @throws IdewireError `invalid-argument` for a call that was not received by an `McpServer`
 */
export function connectionOf(client: ClientOf): ServerConnection {
  const connection = client instanceof Call ? client.receiver : client;
  if (connection instanceof LegacyServerConnection) return connection;
  throw new IdewireError(
    "invalid-argument",
    `${client.constructor.name}: not of a client of an McpServer`,
  );
}
