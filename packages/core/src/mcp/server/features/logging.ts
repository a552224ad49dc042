import { Call } from "../../../rpc/call.ts";
import { describeValue, methodNotFound } from "../../../rpc/message.ts";
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
import { type Caller, type ClientOf, callerOf } from "../caller.ts";
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
  readonly #level: LogLevel;
  #server: AttachedServer | undefined;

  constructor({ level = "info" }: LoggingOptions = {}) {
    this.#level = level;
    this.requests = {
      [SET_LOG_LEVEL]: ({ method, params }, caller) => {
        if (caller.set === undefined) return methodNotFound(method);
        caller.set({ ...caller.settings, logLevel: parseLevel(params?.["level"]) });
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

  /**
   * Sends a message to every client whose level includes it; to none in the modern era, in which
   * messages belong to a call.
   */
  log(message: LogMessage): void {
    for (const connection of this.#server?.connections ?? []) this.logTo(connection, message);
  }

  /** Sends a message to one client, if its level includes it; a call's message belongs to the call. */
  logTo(client: ClientOf, message: LogMessage): void {
    const caller = callerOf(client);
    if (!this.#isWanted(message, caller)) return;
    caller.notify(LOG_MESSAGE, { ...message }, client instanceof Call ? client.id : undefined);
  }

  #isWanted({ level }: LogMessage, { initialized, settings, traits }: Caller): boolean {
    const wanted = settings.logLevel ?? (traits.stateless ? undefined : this.#level);
    if (!initialized || wanted === undefined) return false;
    return logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  }
}

function parseLevel(level: unknown): LogLevel {
  if (isLogLevel(level)) return level;
  throw invalidParams(
    `level: expected one of ${logLevels.join(", ")}, got ${describeValue(level)}`,
  );
}
