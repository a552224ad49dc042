/** The signals by which the system or a person stops the command. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
