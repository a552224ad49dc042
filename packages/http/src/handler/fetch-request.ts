import type { HttpRefusal } from "./http-refusal.ts";
import type { BodyHolder } from "./incoming.ts";
import {
  brokenBody,
  encodingOf,
  findBodyFault,
  type JsonBody,
  parseBody,
  tooLarge,
} from "./json-body.ts";
import type { RequestHead } from "./request-head.ts";

/** The head of a request of the fetch standard. */
export class FetchHead implements RequestHead {
  readonly #request: Request;
  readonly path: string;
  readonly query: string;
  /** Host and Origin. Some platforms report the host in the URL alone. */
  readonly source: { readonly host: string; readonly origin?: string };

  constructor(request: Request) {
    const { pathname, search, host } = new URL(request.url);
    const origin = request.headers.get("origin");
    this.#request = request;
    this.path = pathname;
    this.query = search.slice(1);
    this.source = {
      host: request.headers.get("host") ?? host,
      ...(origin !== null && { origin }),
    };
  }

  get method(): string {
    return this.#request.method;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }
}

/** The content codings of the Compression Streams standard, which lacks Brotli. */
const encodings = ["gzip", "deflate"] as const;

/** The parsed body, or why it is refused; never rejects. */
export async function readFetchBody(
  request: Request,
  maxBytes: number,
  holder: BodyHolder,
): Promise<JsonBody | HttpRefusal> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const fault = findBodyFault({ header }, { maxBytes, encodings });
  if (fault !== undefined) return fault;
  const encoding = encodingOf(header("content-encoding"));
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of partsOf(request, encoding)) {
      size += part.byteLength;
      const refusal = size > maxBytes ? tooLarge(maxBytes) : holder.hold(size);
      if (refusal !== undefined) return refusal;
      parts.push(part);
    }
  } catch {
    return brokenBody(encoding);
  }
  return parseBody(decoder.decode(joined(parts, size)));
}

/** The parts of a body, decompressed; ending the iteration cancels the body. */
function partsOf({ body }: Request, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const known = encodings.find((each) => each === encoding);
  const whole = known === undefined ? body : body?.pipeThrough(new DecompressionStream(known));
  return (whole ?? []) as AsyncIterable<Uint8Array>;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
