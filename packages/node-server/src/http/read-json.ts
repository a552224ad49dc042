import type { IncomingMessage } from "node:http";
import { isCostly, RpcErrorCode } from "@idewire/core";
import { Refused } from "./refused.ts";

export interface ReadJsonOptions {
  readonly maxBytes: number;
  /** Called when the body is wanted: some clients ask before they send it. */
  readonly onWanted: () => void;
}

/** The body of a request: what it says, and how many units of text that took. */
export interface JsonBody {
  readonly value: unknown;
  readonly size: number;
}

/**
 * Rejects with what is Refused: a body that is too large, is not JSON, or has no end because the
 * client leaves.
 */
export function readJson(request: IncomingMessage, options: ReadJsonOptions): Promise<JsonBody> {
  const { maxBytes, onWanted } = options;
  return new Promise((resolve, reject) => {
    const { headers } = request;
    const fault = findBodyFault(headers["content-type"], headers["content-length"], maxBytes);
    if (fault !== undefined) throw fault;
    onWanted();
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.byteLength;
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else parts.push(part);
    });
    request.on("end", () => {
      if (size > maxBytes) return;
      const [first] = parts;
      const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
      const body = parseBody(bytes.toString());
      if (body instanceof Refused) reject(body);
      else resolve(body);
    });
    // To reject what is resolved already costs Node more than to read the body did.
    request.on("close", () => request.complete || reject(new Refused(400, "The body has no end")));
  });
}

/** What is wrong with a body that has not been read yet. */
export function findBodyFault(
  type: string | undefined,
  length: string | undefined,
  maxBytes: number,
): Refused | undefined {
  if (!/^application\/json\b/i.test(type ?? "")) {
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
