/** A `Uint8Array` with its own `ArrayBuffer`, in a form that TypeScript 5.2 also accepts. */
type Bytes = InstanceType<typeof Uint8Array>;

/** Bytes as base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toBinary(bytes));
}

/** Bytes as base64 for URLs, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64 in either alphabet; undefined when the text is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  if (/\s/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (each) => each.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The bytes; undefined when the text is not base64 for URLs. */
export function fromBase64Url(text: string): Bytes | undefined {
  return /^[\w-]*$/.test(text) ? fromBase64(text) : undefined;
}

/** Bytes as a text of one unit each. */
export function toBinary(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}
