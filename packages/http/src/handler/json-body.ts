import { isCostly } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import { HttpRefusal } from "./http-refusal.ts";

/** The parsed body of a request, and the length of its text. */
export interface JsonBody {
  readonly value: unknown;
  readonly size: number;
}

/** The limits of a body. */
export interface BodyLimits {
  /** Of the decompressed body. */
  readonly maxBytes: number;
  /** The content codings that can be decompressed. */
  readonly encodings: readonly string[];
}

/** Why a body is refused before it is read. */
export function findBodyFault(
  { header }: { header(this: void, name: string): string | undefined },
  { maxBytes, encodings }: BodyLimits,
): HttpRefusal | undefined {
  if (!/^application\/json[ \t]*(?:;|$)/i.test(header("content-type") ?? "")) {
    return new HttpRefusal(415, "The body must be application/json");
  }
  const encoding = encodingOf(header("content-encoding"));
  if (encoding !== undefined && !encodings.includes(encoding)) {
    const known = encodings.join(", ");
    // RFC 7694, section 3.
    const headers = { "accept-encoding": known };
    return new HttpRefusal(415, `The Content-Encoding of the body must be one of ${known}`, {
      headers,
    });
  }
  return Number(header("content-length")) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** The compression of a body by its `Content-Encoding`; undefined if it has none. */
export function encodingOf(header: string | undefined): string | undefined {
  const encoding = header
    ?.trim()
    .toLowerCase()
    .replace(/^x-gzip$/, "gzip");
  return encoding === "" || encoding === "identity" ? undefined : encoding;
}

/** The refusal of a body that breaks off, or is not compressed as its head claims. */
export function brokenBody(encoding: string | undefined): HttpRefusal {
  const what = encoding === undefined ? "has no end" : `has no end, or is not ${encoding}`;
  return new HttpRefusal(400, `The body ${what}`);
}

export function tooLarge(maxBytes: number): HttpRefusal {
  return new HttpRefusal(413, `The body is larger than ${maxBytes} bytes`);
}

/** @param body with or without a byte order mark, which some clients send */
export function parseBody(body: string): JsonBody | HttpRefusal {
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

function parseError(what: string): HttpRefusal {
  return new HttpRefusal(400, `Parse error: ${what}`, { code: RpcErrorCode.ParseError });
}
