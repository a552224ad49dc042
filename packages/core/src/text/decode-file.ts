/** The bytes of a text file, decoded. */
export interface DecodedFile {
  /** With its byte order mark. */
  readonly text: string;
  /** How many bytes are invalid: they are shown as U+FFFD, and writing the text does not restore them. */
  readonly lostBytes: number;
  /** Whether the text in UTF-8 is the file to the byte. */
  readonly isUtf8: boolean;
}

const REPLACEMENT = "\uFFFD";

/** The start of a file in which no NUL may be, in bytes. */
const SNIFFED_BYTES = 8 * 1024;

/**
 * Decodes a text file: UTF-16 by its byte order mark, anything else as UTF-8, in which invalid bytes become
 * U+FFFD. Undefined for a binary file.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return decodeUtf16(bytes, utf16);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const lostBytes = countLost(bytes, text);
  return { text, lostBytes, isUtf8: lostBytes === 0 };
}

function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function decodeUtf16(bytes: Uint8Array, encoding: string): DecodedFile | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, lostBytes: 0, isUtf8: false };
  } catch {
    return undefined;
  }
}

/** All bytes less those of the characters, without the U+FFFD that stand for invalid bytes. */
function countLost(bytes: Uint8Array, text: string): number {
  const replacements = text.split(REPLACEMENT).length - 1;
  if (replacements === 0) return 0;
  const { length } = new TextEncoder().encode(text);
  return bytes.length - length + 3 * (replacements - countReplacements(bytes));
}

/** The U+FFFD that the file itself has. */
function countReplacements(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count += 1;
  }
  return count;
}
