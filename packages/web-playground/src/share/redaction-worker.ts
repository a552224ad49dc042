import { type RedactedTrace, redactInSteps } from "@idewire/devtools/internal";
import type { Trace } from "@idewire/devtools/trace";

/** A trace to redact. */
export interface RedactionRequest {
  readonly trace: Trace;
  /** Also replaces the texts of files. */
  readonly texts: boolean;
}

export type RedactionAnswer =
  /** The part that is done, from 0 to 1. */
  { readonly done: number } | { readonly redacted: RedactedTrace };

/** How often progress is reported. */
const REPORT_MS = 100;

addEventListener("message", ({ data: { trace, texts } }: MessageEvent<RedactionRequest>) => {
  const answer = (given: RedactionAnswer): void => postMessage(given);
  const steps = redactInSteps(trace, { texts });
  let step = steps.next();
  for (let reported = performance.now(); step.done !== true; step = steps.next()) {
    if (performance.now() - reported < REPORT_MS) continue;
    reported = performance.now();
    answer({ done: step.value });
  }
  answer({ redacted: step.value });
});
