/** The signals that end the command in order. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
