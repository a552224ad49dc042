import { program, type } from "virtual:redaction-worker";
import type { RedactedTrace } from "@idewire/devtools/internal";
import type { Trace } from "@idewire/devtools/trace";
import { useEffect, useState } from "preact/hooks";
import type { RedactionAnswer, RedactionRequest } from "./redaction-worker.ts";

/** A trace as it may be shared: first the part that is done, from 0 to 1, then the trace, or why there is none. */
export type Redaction =
  | { readonly done: number; readonly redacted?: undefined; readonly issue?: undefined }
  | { readonly redacted: RedactedTrace; readonly issue?: undefined }
  | { readonly issue: string; readonly redacted?: undefined };

/** Redacts a trace in a worker, so that the page stays responsive. */
export function useRedacted(trace: Trace, texts: boolean): Redaction {
  const [redaction, setRedaction] = useState<Redaction>({ done: 0 });
  useEffect(() => {
    setRedaction({ done: 0 });
    const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
    const worker = new Worker(url, { type });
    worker.addEventListener("message", ({ data }: MessageEvent<RedactionAnswer>) => {
      setRedaction(data);
    });
    worker.addEventListener("error", ({ message }) => {
      setRedaction({ issue: message || "this browser starts no worker" });
    });
    const request: RedactionRequest = { trace, texts };
    worker.postMessage(request);
    return () => {
      worker.terminate();
      URL.revokeObjectURL(url);
    };
  }, [trace, texts]);
  return redaction;
}
