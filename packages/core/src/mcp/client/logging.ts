import type { Unsubscribe } from "../../emitter.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import {
  isLogLevel,
  LOG_MESSAGE,
  type LogLevel,
  type LogMessage,
  SET_LOG_LEVEL,
} from "../logging.ts";
import { LOG_LEVEL } from "../modern-keys.ts";
import type { McpClient } from "./client.ts";

/** Ends the restoring of the level that was set before. */
const restoring = new WeakMap<McpClient, Unsubscribe>();

/**
 * Sets the lowest level of the messages that the server sends, also after a reopening. In the modern era
 * each request says it from now on.
 */
export async function setLogLevel(
  client: McpClient,
  level: LogLevel,
  options?: RequestOptions,
): Promise<void> {
  if (client.modern === undefined) {
    await client.request("logging", SET_LOG_LEVEL, { level }, options);
  }
  // A server that is reached again may be of the other era.
  client.meta.set(LOG_LEVEL, level);
  const restore = () => {
    if (client.modern !== undefined) return;
    client.peer.request(SET_LOG_LEVEL, { level }).catch(() => {});
  };
  restoring.get(client)?.();
  restoring.set(client, client.onReopen(restore));
}

/** Calls a listener for each log message of the server; invalid ones are skipped. */
export function onLogMessage(
  client: McpClient,
  listener: (message: LogMessage) => void,
): Unsubscribe {
  return client.on(LOG_MESSAGE, (params) => {
    const { level, data, logger } = params ?? {};
    if (!isLogLevel(level)) return;
    listener({ level, data, ...(typeof logger === "string" && { logger }) });
  });
}
