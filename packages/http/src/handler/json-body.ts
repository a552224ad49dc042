import { isCostly } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import { Refused } from "./refused.ts";

/** The body of a request: what it says, and how many units of text that took. */
export interface JsonBody {
  readonly value: unknown;
  readonly size: number;
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

/** @param body with or without a byte order mark, which some clients send */
export function parseBody(body: string): JsonBody | Refused {
  const text = body.startsWith("\uFEFF") ? body.slice(1) : body;
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
