import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { clearTimeout, setTimeout } from "node:timers";
import { findHidden } from "@idewire/core/internal/base";
import type { Transport } from "@idewire/core/rpc";
import { createStdioTransport } from "@idewire/node-server/stdio";
import type { CliIo } from "../process/io.ts";
import { createLineDropper } from "./drop-lines.ts";
import { exactJson } from "./exact-json.ts";
import { explainError } from "./explain-error.ts";
import { foreignRows } from "./foreign.ts";
import { createPalette, type Palette, wantsColour } from "./palette.ts";
import { join, line, type Printable, visible, wholeCut } from "./printable.ts";
import { ESCAPE, layOut } from "./wrap.ts";

// All output of the command passes through this module or, at a prompt, through the screen: control characters
// of external text are made visible, and the only escape sequences are our own colours.

/** The output of a command. */
export interface Printer {
  readonly palette: Palette;
  /** Prints a line for people. */
  readonly print: (text: Printable) => void;
  /** Prints a line for programs, with control characters escaped. */
  readonly json: (value: unknown) => void;
  /**
   * Prints a text for programs: unchanged to a pipe or a file; to a terminal with control characters, except
   * line breaks, made visible.
   */
  readonly text: (text: string) => void;
  /** Prints an error to stderr. */
  readonly fail: (text: Printable) => void;
  /** Lines of another program: to a pipe made visible, to a terminal marked as well. */
  readonly quote: (text: string, style?: (row: Printable) => Printable) => void;
  /** Lines of another program to stderr, marked. */
  readonly quoteError: (text: string) => void;
}

export function createPrinter(io: CliIo): Printer {
  return {
    palette: createPalette(wantsColour(io)),
    print: (text) => void io.stdout.write(`${layOut(text, io.stdout)}\n`),
    json: (value) => void io.stdout.write(`${escapeJson(exactJson.stringify(value))}\n`),
    text: (text) => void io.stdout.write(io.stdout.isTTY === true ? visibleLines(text) : text),
    fail: (text) => writeLog(io.stderr, layOut(text, io.stderr)),
    quote: (text, style = (row) => row) => {
      for (const row of quotedRows(text, io.stdout)) io.stdout.write(`${style(row).text}\n`);
    },
    quoteError: (text) => writeLog(io.stderr, foreignRows(shownOf(text), io.stderr).join("\n")),
  };
}

/** The limit of a message of another program that is shown beside its results, in UTF-16 units. */
const MAX_QUOTED = 1 << 16;

function shownOf(text: string): string {
  if (text.length <= MAX_QUOTED) return text;
  return `${text.slice(0, wholeCut(text, MAX_QUOTED))}… (${text.length} characters)`;
}

/** Only in a terminal are they between lines of ours. */
function quotedRows(text: string, output: CliIo["stdout"]): readonly Printable[] {
  if (output.isTTY === true) return foreignRows(text, output).map((row) => line`${row}`);
  return text.split(/\r?\n/).map((each) => join(each.split("\t"), "\t"));
}

function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** Prints an error to stderr after the command's name; control characters in each of its lines are made visible. */
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
  writeLog(stderr, lines.join("\n"));
}

/** How much of the log may wait for its reader. */
const MAX_WAITING_BYTES = 1 << 20;
const droppers = new WeakMap<CliIo["stderr"], (lines: number) => boolean>();

/** Writes lines to the log, unless it is not read: the callers must neither wait nor fill the memory. */
function writeLog(stderr: CliIo["stderr"], lines: string): void {
  const admits = droppers.get(stderr) ?? createLineDropper(stderr, MAX_WAITING_BYTES, report);
  droppers.set(stderr, admits);
  if (admits(lines.split("\n").length)) stderr.write(`${lines}\n`);

  function report(lost: number): void {
    stderr.write(`idewire: ${lost} lines are missing: they arrived faster than they were read\n`);
  }
}

/** How long to wait for the end of a partial line. */
const PARTIAL_MS = 300;
/** The length at which a partial line is written. */
const MAX_PARTIAL = 4_096;

/** Forwards another program's output to stderr, in whole rows, each of them marked. */
export function passOn(input: Readable, { stderr }: Pick<CliIo, "stderr">): void {
  const decoder = new StringDecoder("utf8");
  let partial = "";
  let timer: NodeJS.Timeout | undefined;
  // A program would block while its log waits, and so would its client.
  const write = (text: string) => writeLog(stderr, foreignRows(text, stderr).join("\n"));
  const flush = () => {
    if (partial !== "") write(partial);
    partial = "";
  };
  input.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    const text = partial + decoder.write(chunk);
    const end = text.lastIndexOf("\n");
    partial = text.slice(end + 1);
    if (end >= 0) write(text.slice(0, end).replace(/\r$/, ""));
    if (partial.length > MAX_PARTIAL) flush();
    // It keeps the process running until the line is written.
    else if (partial !== "") timer = setTimeout(flush, PARTIAL_MS);
  });
  input.on("end", () => {
    clearTimeout(timer);
    flush();
  });
}

/** Shows a text that the next output overwrites: the cursor stays before it. */
export function showBriefly(output: CliIo["stderr"], words: string): void {
  output.write(`${visible(words)}\r`);
}

const OWN = new RegExp(`(${ESCAPE}\\[(?:1|2|7|22|27|3[1-3]|39)m|\n)`);

/**
 * Prints a page of our own, such as help: line breaks and our colours are kept, all other control characters are
 * made visible.
 */
export function printPage(output: CliIo["stdout"], page: string): void {
  const chunks = page.split(OWN).map((piece, index) => (index % 2 === 1 ? piece : visible(piece)));
  output.write(chunks.join(""));
}

/** Prints frames for the program that started this one; escaped, in case stdout is a terminal. */
export function openStdio({ stdin, stdout }: CliIo): Transport {
  return createStdioTransport(stdin, stdout, { encode: escapeJson });
}

/** Escapes the control and hidden characters of JSON; it parses to the same value. */
function escapeJson(json: string): string {
  let escaped = "";
  let done = 0;
  for (const { start, end } of findHidden(json)) {
    escaped += json.slice(done, start);
    for (let index = start; index < end; index++) {
      // The only such character that is valid between tokens.
      escaped +=
        json[index] === "\r" ? " " : `\\u${json.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }
    done = end;
  }
  return escaped + json.slice(done);
}
