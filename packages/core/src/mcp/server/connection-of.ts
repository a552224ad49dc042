import { IdewireError } from "../../errors.ts";
import { Call } from "../../rpc/call.ts";
import { LegacyServerConnection } from "./legacy-server-connection.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A client, by its connection or by a call of it that is being answered. */
export type ClientOf<Context = unknown> = ServerConnection<Context> | Call;

/**
 * The connection that a call came by.
 * @throws IdewireError `invalid-argument` for a call that no McpServer received
 */
export function connectionOf(client: ClientOf): ServerConnection {
  const connection = client instanceof Call ? client.receiver : client;
  if (connection instanceof LegacyServerConnection) return connection;
  throw new IdewireError(
    "invalid-argument",
    `${client.constructor.name}: of no client of a server`,
  );
}
