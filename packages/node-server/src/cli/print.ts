import type { CliIo } from "./io.ts";
import { createPalette, type Palette, wantsColour } from "./terminal/palette.ts";
import type { Printable } from "./terminal/printable.ts";

/** A command's way of telling. */
export interface Printer {
  readonly palette: Palette;
  /** One line for people. */
  say(text: Printable): void;
  /** One line for programs; what a terminal would obey is escaped. */
  json(value: unknown): void;
  /** What went wrong, to stderr. */
  fail(text: Printable): void;
}

export function createPrinter(io: CliIo): Printer {
  return {
    palette: createPalette(wantsColour(io)),
    say: (text) => void io.stdout.write(`${text.text}\n`),
    json: (value) => void io.stdout.write(`${toSafeJson(value)}\n`),
    fail: (text) => void io.stderr.write(`${text.text}\n`),
  };
}

/** JSON has escapes for what a terminal would obey: only those below U+0020 are a must. */
const RISKY = /[\x7f-\x9f\u2028\u2029]|(?!\u200c|\u200d)\p{Cf}/gu;

/** The same value to whoever parses it. */
function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(RISKY, (text) =>
    [...Array(text.length).keys()]
      .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
