import { IdewireError } from "@idewire/core";

/**
 * Reads a whole body, as UTF-8.
 * @param what is read, for messages to a person
 * @throws IdewireError `protocol` when it is too large; whatever breaks the body
 */
export async function readText(
  response: Response,
  maxBytes: number,
  what: string,
): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) {
        throw new IdewireError("protocol", `${what}: more than ${maxBytes} bytes`);
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Whether a response is one of events. */
export function isEventStream(response: Response): boolean {
  return response.ok && mediaType(response) === "text/event-stream";
}

/** The media type of a response, without its parameters; empty when it has none. */
export function mediaType({ headers }: Response): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Reads no more of a response. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
