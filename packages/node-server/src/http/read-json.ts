import type { IncomingMessage } from "node:http";
import { RpcErrorCode } from "@idewire/core";
import { isCostly } from "./costly-json.ts";
import { Refused } from "./refused.ts";

export interface ReadJsonOptions {
  readonly maxBytes: number;
  /** Called when the body is wanted: some clients ask before they send it. */
  readonly onWanted: () => void;
}

/** The body of a request, as text and as what it says. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/** @throws Refused when it is too large, or is not JSON */
export async function readJson(
  request: IncomingMessage,
  options: ReadJsonOptions,
): Promise<JsonBody> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refused(415, "The body must be application/json");
  }
  const text = await readText(request, options);
  if (isCostly(text)) {
    throw parseError("the body has more values, or more levels, than any message needs");
  }
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw parseError("the body is not JSON");
  }
}

async function readText(
  request: IncomingMessage,
  { maxBytes, onWanted }: ReadJsonOptions,
): Promise<string> {
  const tooLarge = new Refused(413, `The body is larger than ${maxBytes} bytes`);
  if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge;
  onWanted();
  const parts: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    request.on("data", (part: Buffer) => {
      size += part.byteLength;
      if (size > maxBytes) reject(tooLarge);
      else parts.push(part);
    });
    request.on("end", resolve);
    request.on("close", reject);
  });
  return Buffer.concat(parts).toString("utf8");
}

function parseError(what: string): Refused {
  return new Refused(400, `Parse error: ${what}`, { code: RpcErrorCode.ParseError });
}
