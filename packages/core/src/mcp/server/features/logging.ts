import type { Unsubscribe } from "../../../emitter.ts";
import { describeValue } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import type { McpClient } from "../../client/client.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";
import type { LegacyServerConnection } from "../legacy-server-connection.ts";
import type { McpServer } from "../server.ts";
import type { FeatureHandler, ServerFeature } from "../server-feature.ts";

const MESSAGE = "notifications/message";

/** The severities of RFC 5424, least first. */
export const logLevels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LogLevel = (typeof logLevels)[number];

/** What is logged. Never put secrets, or what people wrote, into it. */
export interface LogMessage {
  readonly level: LogLevel;
  /** Any JSON value. */
  readonly data: unknown;
  /** Who says it. */
  readonly logger?: string;
}

export interface LoggingOptions {
  /** What a client hears that has set no level; `info` when left out. */
  readonly level?: LogLevel;
}

/**
 * Sends log messages to the clients, to each those that it wants (MCP 2025-11-25, Server /
 * Utilities / Logging).
 */
export class Logging implements ServerFeature {
  readonly requests: Readonly<Record<string, FeatureHandler<unknown>>>;
  readonly #levels = new WeakMap<LegacyServerConnection, LogLevel>();
  readonly #level: LogLevel;
  #server: McpServer | undefined;

  constructor({ level = "info" }: LoggingOptions = {}) {
    this.#level = level;
    this.requests = {
      "logging/setLevel": ({ params }, connection) => {
        this.#levels.set(connection, parseLevel(params?.["level"]));
        return {};
      },
    };
  }

  capabilities(): Capabilities {
    return { logging: {} };
  }

  attach(server: McpServer): void {
    this.#server = server;
  }

  /** Tells every client that wants this level. */
  log(message: LogMessage): void {
    for (const connection of this.#server?.connections ?? []) this.logTo(connection, message);
  }

  /** Tells one client, if it wants this level. */
  logTo(client: ClientOf, message: LogMessage): void {
    const connection = connectionOf(client);
    if (this.#isWanted(message, connection)) connection.peer.notify(MESSAGE, { ...message });
  }

  #isWanted({ level }: LogMessage, connection: LegacyServerConnection): boolean {
    const wanted = this.#levels.get(connection) ?? this.#level;
    return connection.initialized && logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  }
}

/** Says which messages a client wants: this level and above. */
export async function setLogLevel(
  client: McpClient,
  level: LogLevel,
  options?: RequestOptions,
): Promise<void> {
  await client.request("logging", "logging/setLevel", { level }, options);
}

/** Hears the messages of a server; one that is none is left out. */
export function onLogMessage(
  client: McpClient,
  listener: (message: LogMessage) => void,
): Unsubscribe {
  return client.on(MESSAGE, (params) => {
    const { level, data, logger } = params ?? {};
    if (!isLogLevel(level)) return;
    listener({ level, data, ...(typeof logger === "string" && { logger }) });
  });
}

function isLogLevel(level: unknown): level is LogLevel {
  return logLevels.some((known) => known === level);
}

function parseLevel(level: unknown): LogLevel {
  if (isLogLevel(level)) return level;
  throw invalidParams(
    `level: expected one of ${logLevels.join(", ")}, got ${describeValue(level)}`,
  );
}
