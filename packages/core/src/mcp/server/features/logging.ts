import { methodNotFound } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { isLogLevel, type LogLevel, logLevels, SET_LOG_LEVEL } from "../../logging.ts";
import { invalidParams } from "../../refusals.ts";
import type { ServerFeature } from "../server-feature.ts";

/** Lets clients set the level of the messages that they are sent (MCP 2025-11-25, Server / Utilities / Logging). */
export const logging: ServerFeature = {
  capabilities: () => ({ logging: {} }),
  requests: {
    [SET_LOG_LEVEL]: ({ method, params }, caller) => {
      if (caller.set === undefined) return methodNotFound(method);
      caller.set({ ...caller.settings, logLevel: parseLevel(params?.["level"]) });
      return {};
    },
  },
};

function parseLevel(level: unknown): LogLevel {
  if (isLogLevel(level)) return level;
  throw invalidParams(
    `level: expected one of ${logLevels.join(", ")}, got ${describeValue(level)}`,
  );
}
