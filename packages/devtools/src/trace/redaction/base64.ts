const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...LETTERS].map((letter, value) => [letter, value]));

/** The bytes of base64 in either alphabet; undefined when the text is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  const letters = text.replace(/={1,2}$/, "");
  if (letters.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4));
  let [out, bits, held] = [0, 0, 0];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters.charAt(at);
    const value = VALUES.get(letter === "-" ? "+" : letter === "_" ? "/" : letter);
    if (value === undefined) return undefined;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[out++] = (held >> bits) & 0xff;
  }
  return bytes;
}

/** As base64, with its padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    for (let index = 0; index < 4; index += 1) {
      text += at + index > bytes.length ? "=" : LETTERS.charAt((group >> (18 - 6 * index)) & 63);
    }
  }
  return text;
}

/** Decodes UTF-8; bytes that are not UTF-8 become one unit each. */
export function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return text;
  }
}
