const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 with padding; needs neither Buffer nor btoa. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const word = (a << 16) | (b << 8) | c;
    const text = [18, 12, 6, 0].map((shift) => digits[(word >> shift) & 63]).join("");
    const missing = Math.max(0, at + 3 - bytes.length);
    parts.push(text.slice(0, 4 - missing) + "=".repeat(missing));
  }
  return parts.join("");
}
