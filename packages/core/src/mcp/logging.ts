// MCP 2025-11-25, Server / Utilities / Logging: what both ends share.

/** The method's name. */
export const SET_LOG_LEVEL = "logging/setLevel";
/** The notification's name. */
export const LOG_MESSAGE = "notifications/message";

/** The severities of RFC 5424, lowest first. */
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

/** A log message. It must contain no secrets and no text that people wrote. */
export interface LogMessage {
  readonly level: LogLevel;
  /** Any JSON value. */
  readonly data: unknown;
  /** The source of the message. */
  readonly logger?: string;
}

export function isLogLevel(level: unknown): level is LogLevel {
  return logLevels.some((known) => known === level);
}
