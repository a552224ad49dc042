import type { DiagnosticSeverity } from "../editor-host.ts";

/** The severities of the JetBrains plugin, in seeds 000 and 002. */
export const jetBrainsSeverity: Readonly<Record<DiagnosticSeverity, string>> = {
  error: "ERROR",
  warning: "WARNING",
  information: "INFO",
  hint: "WEAK_WARNING",
};
