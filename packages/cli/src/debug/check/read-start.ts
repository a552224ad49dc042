import { clearTimeout, setTimeout } from "node:timers";

/** In bytes; of a longer body, the rest is not read. */
const MAX_BYTES = 1_048_576;

/** The body of a response; of a stream of events, up to the first one that has data, or to the time-out. */
export async function readStart(response: Response, eventMs: number): Promise<string> {
  // The types of Node and of the web differ in the type of the chunks.
  const stream = response.body as ReadableStream<Uint8Array<ArrayBuffer>> | null;
  const reader = stream?.getReader();
  if (reader === undefined) return "";
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const timer = isStream ? setTimeout(() => void reader.cancel(), eventMs) : undefined;
  try {
    while (bytes < MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (isStream && /^data: ?\S.*(?:\r?\n){2}/m.test(text)) break;
    }
    return text;
  } finally {
    clearTimeout(timer);
    // The part that was read suffices, whatever happens to the rest.
    reader.cancel().catch(() => {});
  }
}
