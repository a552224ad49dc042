/** The signals by which a system or a person ends the command. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
