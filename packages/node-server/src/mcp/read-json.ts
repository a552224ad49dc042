import type { IncomingMessage } from "node:http";
import { findBodyFault, type JsonBody, parseBody, Refused, tooLarge } from "@idewire/http/internal";

export interface ReadJsonOptions {
  readonly maxBytes: number;
  /** Called when the body is wanted: some clients ask before they send it. */
  readonly onWanted?: (() => void) | undefined;
}

/**
 * Reads a body, and calls back once: with what it says, or why it is refused, because it is too large, is
 * not JSON, or has no end, since the client leaves.
 */
export function readJson(
  request: IncomingMessage,
  { maxBytes, onWanted }: ReadJsonOptions,
  done: (body: JsonBody | Refused) => void,
): void {
  const { headers } = request;
  const fault = findBodyFault(headers["content-type"], headers["content-length"], maxBytes);
  if (fault !== undefined) {
    done(fault);
    return;
  }
  onWanted?.();
  const parts: Buffer[] = [];
  let size = 0;
  request.on("data", (part: Buffer) => {
    if (size > maxBytes) return;
    size += part.byteLength;
    if (size > maxBytes) done(tooLarge(maxBytes));
    else parts.push(part);
  });
  request.on("end", () => {
    if (size > maxBytes) return;
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    done(parseBody(bytes.toString()));
  });
  request.on("close", () => {
    if (!request.complete && size <= maxBytes) done(new Refused(400, "The body has no end"));
  });
}
