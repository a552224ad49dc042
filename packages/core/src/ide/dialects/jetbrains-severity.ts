import type { DiagnosticSeverity } from "../editor-host.ts";

/** The words of the JetBrains plugin; seeds 000 and 002 have them. */
export const jetBrainsSeverity: Readonly<Record<DiagnosticSeverity, string>> = {
  error: "ERROR",
  warning: "WARNING",
  information: "INFO",
  hint: "WEAK_WARNING",
};
