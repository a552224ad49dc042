import type { IncomingMessage } from "node:http";
import { isCostly } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { JsonBody } from "./json-body.ts";
import { Refused } from "./refused.ts";

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

/** What is wrong with a body that has not been read yet. */
export function findBodyFault(
  type: string | undefined,
  length: string | undefined,
  maxBytes: number,
): Refused | undefined {
  if (!/^application\/json[ \t]*(?:;|$)/i.test(type ?? "")) {
    return new Refused(415, "The body must be application/json");
  }
  return Number(length) > maxBytes ? tooLarge(maxBytes) : undefined;
}

export function tooLarge(maxBytes: number): Refused {
  return new Refused(413, `The body is larger than ${maxBytes} bytes`);
}

export function parseBody(text: string): JsonBody | Refused {
  if (isCostly(text)) {
    return parseError("the body has more values, or more levels, than any message needs");
  }
  try {
    return { value: JSON.parse(text), size: text.length };
  } catch {
    return parseError("the body is not JSON");
  }
}

function parseError(what: string): Refused {
  return new Refused(400, `Parse error: ${what}`, { code: RpcErrorCode.ParseError });
}
