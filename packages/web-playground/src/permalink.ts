import { formatTrace, isHar, parseHar, parseTrace, type Trace } from "@idewire/core/trace";
import type { Session } from "./session.ts";

/** Longer links get lost in mail and chat. */
export const LINK_LIMIT = 8000;
/** A link that inflates to more than this is a bomb. */
const MAX_BYTES = 16_000_000;

/** The address of this page with a trace in its fragment, which no server ever sees. */
export async function addressOf(trace: Trace): Promise<string> {
  const bytes = new TextEncoder().encode(formatTrace(trace));
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const fragment = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin === "null" ? location.href.split("#")[0] : location.origin + location.pathname}#s=${fragment}`;
}

/**
 * Opens the trace in the fragment of a link.
 * @returns what is wrong with it
 */
export function openPacked(session: Session, packed: string): Promise<string | undefined> {
  return inflate(packed).then(
    (text) => openText(session, text),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** @throws Error that says why, when the text is damaged or too large */
async function inflate(packed: string): Promise<string> {
  let text: string;
  try {
    text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("it is not base64url; it was cut off or changed on its way");
  }
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let result = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("it is damaged; it was cut off or changed on its way");
    });
    if (done) return result + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${MAX_BYTES / 1e6} MB`);
    }
    result += decoder.decode(value, { stream: true });
  }
}

/**
 * Shows a trace, whichever format it has.
 * @returns what is wrong with it
 */
export function openText(session: Session, text: string): string | undefined {
  const looksLikeHar = /^\s*\{\s*"log"/.test(text) && isHar(tryJson(text));
  const read = looksLikeHar ? parseHar(text) : parseTrace(text);
  if (!read.ok) return read.issue;
  session.replay(read.value);
  return undefined;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
