import { messageOf } from "@idewire/core/internal/base";
import { formatTrace, type Trace } from "@idewire/devtools/trace";
import type { PageModel } from "../state/page-model.ts";
import { openChunks } from "./open-trace.ts";

/** Longer links get lost in mail and chat. */
export const LINK_LIMIT = 8000;
/** A link that inflates to more is refused. */
const MAX_BYTES = 16_000_000;

/** A link with more events would be too long anyway. */
const MAX_PACKED_EVENTS = 20_000;

/**
 * The address of this page with a trace in its fragment, which no server ever sees; undefined when
 * the trace is far too long for one.
 */
export async function addressOf(trace: Trace): Promise<string | undefined> {
  if (trace.events.length > MAX_PACKED_EVENTS) return undefined;
  const bytes = new TextEncoder().encode(formatTrace(trace));
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const fragment = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin === "null" ? location.href.split("#")[0] : location.origin + location.pathname}#s=${fragment}`;
}

/**
 * Opens the trace in the fragment of a link.
 * @returns why it is invalid
 */
export async function openPacked(model: PageModel, packed: string): Promise<string | undefined> {
  try {
    return await openChunks(model, inflate(packed));
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws Error with the reason, if the text is damaged or too large */
async function* inflate(packed: string): AsyncGenerator<string> {
  let text: string;
  try {
    text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("it is not base64url; it is incomplete or was altered");
  }
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  for (let size = 0; ; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("it is damaged: incomplete or altered");
    });
    if (done) break;
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${MAX_BYTES / 1e6} MB`);
    }
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}
