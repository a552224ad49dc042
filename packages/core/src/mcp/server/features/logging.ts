import { describeValue } from "../../../rpc/message.ts";
import {
  isLogLevel,
  LOG_MESSAGE,
  type LogLevel,
  type LogMessage,
  logLevels,
  SET_LOG_LEVEL,
} from "../../logging.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";
import type { ServerConnection } from "../server-connection.ts";
import type { AttachedServer, FeatureHandler, ServerFeature } from "../server-feature.ts";

export interface LoggingOptions {
  /** The level of clients that have set none; `info` by default. */
  readonly level?: LogLevel;
}

/**
 * Sends log messages to the clients, from the level on that each has set (MCP 2025-11-25, Server /
 * Utilities / Logging).
 */
export class Logging implements ServerFeature {
  readonly requests: Readonly<Record<string, FeatureHandler<unknown>>>;
  readonly #levels = new WeakMap<ServerConnection, LogLevel>();
  readonly #level: LogLevel;
  #server: AttachedServer | undefined;

  constructor({ level = "info" }: LoggingOptions = {}) {
    this.#level = level;
    this.requests = {
      [SET_LOG_LEVEL]: ({ params }, connection) => {
        this.#levels.set(connection, parseLevel(params?.["level"]));
        return {};
      },
    };
  }

  capabilities(): Capabilities {
    return { logging: {} };
  }

  attach(server: AttachedServer): void {
    this.#server = server;
  }

  /** Sends a message to every client whose level includes it. */
  log(message: LogMessage): void {
    for (const connection of this.#server?.connections ?? []) this.logTo(connection, message);
  }

  /** Sends a message to one client, if its level includes it. */
  logTo(client: ClientOf, message: LogMessage): void {
    const connection = connectionOf(client);
    if (this.#isWanted(message, connection)) connection.peer.notify(LOG_MESSAGE, { ...message });
  }

  #isWanted({ level }: LogMessage, connection: ServerConnection): boolean {
    const wanted = this.#levels.get(connection) ?? this.#level;
    return connection.initialized && logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  }
}

function parseLevel(level: unknown): LogLevel {
  if (isLogLevel(level)) return level;
  throw invalidParams(
    `level: expected one of ${logLevels.join(", ")}, got ${describeValue(level)}`,
  );
}
