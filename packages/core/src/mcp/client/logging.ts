import type { Unsubscribe } from "../../emitter.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import {
  isLogLevel,
  LOG_MESSAGE,
  type LogLevel,
  type LogMessage,
  SET_LOG_LEVEL,
} from "../logging.ts";
import type { McpClient } from "./client.ts";

/** Says which messages a client wants: this level and above. */
export async function setLogLevel(
  client: McpClient,
  level: LogLevel,
  options?: RequestOptions,
): Promise<void> {
  await client.request("logging", SET_LOG_LEVEL, { level }, options);
}

/** Hears the messages of a server; one that is none is left out. */
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
