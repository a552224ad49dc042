/** Line breaks, other control characters, and characters beyond ASCII, whose encoding HTTP does not define. */
const FOREIGN = /[^\t\x20-\x7e]+/g;

/**
 * The headers of an answer as HTTP can send them: every answer passes through here. Characters beyond
 * printable ASCII become percent-encoded UTF-8, so that no value can end its line or fail to be written.
 */
export function encodeHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const encoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    encoded[name] = value.replace(FOREIGN, percentEncode);
  }
  return encoded;
}

function percentEncode(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text));
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/** A quoted string of HTTP (RFC 9110, 5.6.4): no text can end it. */
export function quoteHeader(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
