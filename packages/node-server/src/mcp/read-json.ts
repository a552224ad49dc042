import type { IncomingMessage } from "node:http";
import {
  type BodyHolder,
  findBodyFault,
  type JsonBody,
  parseBody,
  Refused,
  tooLarge,
} from "@idewire/http/internal";

export interface ReadJsonOptions {
  readonly maxBytes: number;
  /** Counts what was read. */
  readonly holder: BodyHolder;
  /** Called when the body is wanted: some clients ask before they send it. */
  readonly onWanted?: (() => void) | undefined;
}

/**
 * Reads a body, and calls back once: with what it says, or why it is refused, because it is too large, is
 * not JSON, or has no end, since the client leaves.
 */
export function readJson(
  request: IncomingMessage,
  { maxBytes, holder, onWanted }: ReadJsonOptions,
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
  let isRefused = false;
  request.on("data", (part: Buffer) => {
    if (isRefused) return;
    size += part.byteLength;
    const refusal = size > maxBytes ? tooLarge(maxBytes) : holder.hold(size);
    if (refusal === undefined) {
      parts.push(part);
      return;
    }
    isRefused = true;
    parts.length = 0;
    done(refusal);
  });
  request.on("end", () => {
    if (isRefused) return;
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    done(parseBody(bytes.toString()));
  });
  request.on("close", () => {
    if (!request.complete && !isRefused) done(new Refused(400, "The body has no end"));
  });
}
