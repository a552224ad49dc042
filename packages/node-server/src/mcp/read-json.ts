import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  type BodyHolder,
  brokenBody,
  encodingOf,
  findBodyFault,
  type HttpRefusal,
  type JsonBody,
  parseBody,
  tooLarge,
} from "@idewire/http/internal";
import { NodeHead } from "./node-head.ts";

export interface ReadJsonOptions {
  readonly maxBytes: number;
  /** Counts the bytes that were read. */
  readonly holder: BodyHolder;
  /** Called when the body is requested: some clients wait for that before they send it. */
  readonly onWanted?: (() => void) | undefined;
}

const decompressors: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);
const encodings = [...decompressors.keys()];

/**
 * Reads a body, and calls back once: with its value, or why it is refused: too large, not JSON, not compressed as
 * it claims, or incomplete because the client has left.
 */
export function readJson(
  request: IncomingMessage,
  { maxBytes, holder, onWanted }: ReadJsonOptions,
  done: (body: JsonBody | HttpRefusal) => void,
): void {
  const head = new NodeHead(request);
  const header = (name: string) => head.header(name);
  const fault = findBodyFault({ header }, { maxBytes, encodings });
  if (fault !== undefined) {
    done(fault);
    return;
  }
  onWanted?.();
  const encoding = encodingOf(header("content-encoding"));
  const decompressor = decompressors.get(encoding ?? "")?.();
  const parts: Buffer[] = [];
  let size = 0;
  let isRefused = false;
  const refuse = (refusal: HttpRefusal) => {
    if (isRefused) return;
    isRefused = true;
    parts.length = 0;
    // The rest of a refused body is read and dropped, without decompression.
    if (decompressor !== undefined) {
      request.unpipe(decompressor).resume();
      decompressor.destroy();
    }
    done(refusal);
  };
  const body = decompressor === undefined ? request : request.pipe(decompressor);
  body.on("data", (part: Buffer) => {
    if (isRefused) return;
    size += part.byteLength;
    const refusal = size > maxBytes ? tooLarge(maxBytes) : holder.hold(size);
    if (refusal === undefined) parts.push(part);
    else refuse(refusal);
  });
  body.on("end", () => {
    if (isRefused) return;
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    done(parseBody(bytes.toString()));
  });
  decompressor?.on("error", () => refuse(brokenBody(encoding)));
  request.on("close", () => {
    if (!request.complete) refuse(brokenBody(encoding));
  });
}
