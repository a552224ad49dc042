import type { RequestId } from "../../rpc/message.ts";
import { LOG_MESSAGE, type LogMessage, logLevels } from "../logging.ts";
import type { Caller } from "./caller.ts";

/**
 * Sends a message to a client, if its level includes it.
 * @param about the request that the message belongs to; a modern client accepts no others
 */
export function sendLog(caller: Caller, message: LogMessage, about?: RequestId): void {
  const { initialized, logLevel } = caller;
  if (!initialized || logLevel === undefined) return;
  const isWanted = logLevels.indexOf(message.level) >= logLevels.indexOf(logLevel);
  if (isWanted) caller.notify(LOG_MESSAGE, { ...message }, about);
}
