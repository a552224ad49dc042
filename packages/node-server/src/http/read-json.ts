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
  const tooLarge = () => new Refused(413, `The body is larger than ${maxBytes} bytes`);
  return new Promise((resolve, reject) => {
    const { headers } = request;
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      throw new Refused(415, "The body must be application/json");
    }
    if (Number(headers["content-length"]) > maxBytes) throw tooLarge();
    onWanted();
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.byteLength;
      if (size > maxBytes) reject(tooLarge());
      else parts.push(part);
    });
    request.on("end", () => size > maxBytes || parse(parts, resolve, reject));
    // To reject what is resolved already costs Node more than to read the body did.
    request.on("close", () => request.complete || reject(new Refused(400, "The body has no end")));
  });
}

function parse(
  parts: readonly Buffer[],
  resolve: (body: JsonBody) => void,
  reject: (error: Refused) => void,
): void {
  const [first] = parts;
  const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
  const text = bytes.toString();
  if (isCostly(text)) {
    reject(parseError("the body has more values, or more levels, than any message needs"));
    return;
  }
  try {
    resolve({ value: JSON.parse(text), size: text.length });
  } catch {
    reject(parseError("the body is not JSON"));
  }
}

function parseError(what: string): Refused {
  return new Refused(400, `Parse error: ${what}`, { code: RpcErrorCode.ParseError });
}
