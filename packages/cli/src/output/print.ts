import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { findHidden, showHidden } from "@idewire/core/internal/base";
import type { Transport } from "@idewire/core/rpc";
import { createStdioTransport } from "@idewire/node-server/stdio";
import type { CliIo } from "../process/io.ts";
import { explainError } from "./explain-error.ts";
import { createPalette, type Palette, wantsColour } from "./palette.ts";
import { line, type Printable, visible } from "./printable.ts";
import { ESCAPE, layOut } from "./wrap.ts";

// All output of the command passes here or, where a person types, through the screen: what comes
// from outside is made visible, and the only escape sequences are our own colours.

/** Where a command prints. */
export interface Printer {
  readonly palette: Palette;
  /** One line for people. */
  readonly print: (text: Printable) => void;
  /** One line for programs; what a terminal would obey is escaped. */
  readonly json: (value: unknown) => void;
  /** A text for programs: to a pipe or a file as it is, to a terminal with all but its line breaks made visible. */
  readonly text: (text: string) => void;
  /** What went wrong, to stderr. */
  readonly fail: (text: Printable) => void;
}

export function createPrinter(io: CliIo): Printer {
  return {
    palette: createPalette(wantsColour(io)),
    print: (text) => void io.stdout.write(`${layOut(text, io.stdout)}\n`),
    json: (value) => void io.stdout.write(`${escapeJson(JSON.stringify(value))}\n`),
    text: (text) => void io.stdout.write(io.stdout.isTTY === true ? visibleLines(text) : text),
    fail: (text) => void io.stderr.write(`${layOut(text, io.stderr)}\n`),
  };
}

function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** Says on stderr what went wrong, after the command's name; of several lines each is made visible. */
export function complain(io: Pick<CliIo, "stderr">, words: string, name = "idewire"): void {
  logLines(io, `${name}: ${words}`);
}

/** Prints an error to stderr, each of its lines after the command's name. */
export function complainOf(io: Pick<CliIo, "stderr">, error: unknown): void {
  for (const words of explainError(error).split("\n")) complain(io, words);
}

/** Passes lines from elsewhere on to stderr, made visible. */
export function logLines({ stderr }: Pick<CliIo, "stderr">, words: string): void {
  const lines = words.split("\n").map((each) => layOut(line`${each}`, stderr));
  stderr.write(`${lines.join("\n")}\n`);
}

const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]{0,20}m`, "g");

/** Passes on to stderr what another program says, without its colours and made visible. */
export function passOn(input: Readable, { stderr }: Pick<CliIo, "stderr">): void {
  const decoder = new StringDecoder("utf8");
  input.on("data", (chunk: Buffer) => {
    const hasRoom = stderr.write(showHidden(decoder.write(chunk).replace(COLOURS, "")));
    if (hasRoom) return;
    input.pause();
    stderr.once("drain", () => input.resume());
  });
}

/** Shows words that whatever is written next replaces: the cursor is left before them. */
export function showBriefly(output: CliIo["stderr"], words: string): void {
  output.write(`${visible(words)}\r`);
}

const OWN = new RegExp(`(${ESCAPE}\\[(?:1|2|7|22|27|3[1-3]|39)m|\n)`);

/** Prints a page of our own, such as help: line breaks and our colours stay, all other control characters are made visible. */
export function printPage(output: CliIo["stdout"], page: string): void {
  const chunks = page.split(OWN).map((piece, index) => (index % 2 === 1 ? piece : visible(piece)));
  output.write(chunks.join(""));
}

/** Frames for a program that started us: should stdout be a terminal, it obeys none of them. */
export function openStdio({ stdin, stdout }: CliIo): Transport {
  return createStdioTransport(stdin, stdout, { encode: escapeJson });
}

/** The same value when parsed: escapes what a terminal would obey or hide. */
function escapeJson(json: string): string {
  let escaped = "";
  let done = 0;
  for (const { start, end } of findHidden(json)) {
    escaped += json.slice(done, start);
    for (let index = start; index < end; index++) {
      // Between tokens, the one control character that is neither innocent nor wrong there.
      escaped +=
        json[index] === "\r" ? " " : `\\u${json.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }
    done = end;
  }
  return escaped + json.slice(done);
}
