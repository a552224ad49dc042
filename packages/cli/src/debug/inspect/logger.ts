import { stripVTControlCharacters } from "node:util";
import {
  describeUnanswered,
  type EndNames,
  endsOf,
  explainFrame,
  explainHttp,
  type FrameEvent,
  type FrameFacts,
  FrameIndex,
  type HttpEvent,
} from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { createLineDropper } from "../../output/drop-lines.ts";
import type { Printer } from "../../output/print.ts";
import {
  join,
  type LineValue,
  line,
  type Printable,
  shorten,
  wholeCut,
} from "../../output/printable.ts";
import type { CliIo } from "../../process/io.ts";

/** If output is read more slowly than frames arrive, lines are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const DEFAULT_COLUMNS = 120;
/** Of further unanswered requests, only the number is printed. */
const MAX_UNANSWERED = 5;

/** The options of the logger. */
export interface LoggerOptions {
  readonly json: boolean;
  /** Frames are shown elsewhere: only connections are printed. */
  readonly isBrief: boolean;
  readonly ends: EndNames;
}

/** Prints a line for each event of a log. */
export function createLogger(
  printer: Printer,
  io: CliIo,
  { json, isBrief, ends }: LoggerOptions,
): (event: TraceEvent) => void {
  const index = new FrameIndex();
  const admits = createLineDropper(io.stdout, MAX_WAITING_BYTES, (lines) => {
    if (json) printer.json({ event: "lost", lines });
    else printer.print(line`${lines} lines are missing: they arrived faster than they were read`);
  });
  return (event) => {
    const ended = index.unanswered;
    index.add(event);
    // Retains open requests, and drops everything before them.
    if (event.n % 4096 === 0) index.drop(event.n - 50_000);
    if (!admits()) return;
    if (json) printer.json(toJson(event, index.of(event.n)));
    else {
      const words = toLine(event, { index, printer, isBrief, ends, columns: io.stdout.columns });
      if (words !== undefined) printer.print(words);
      const isEnd = event.ev === "close" || event.ev === "failed";
      if (isEnd && !isBrief) emitUnanswered(index, ended, printer);
    }
  };
}

/** The requests that an event leaves unanswered; only the number if there are many. */
function emitUnanswered(index: FrameIndex, before: number, { print, palette }: Printer): void {
  const ended = index.unansweredSince(before);
  for (const n of ended.slice(0, MAX_UNANSWERED)) {
    const { ch = "", method = "", tool = "", id, unanswered } = index.of(n) ?? {};
    if (unanswered === undefined) continue;
    const call = `${method} ${tool}`.trimEnd();
    const words = `${ch}  ${call} #${JSON.stringify(id)} ${describeUnanswered(unanswered)}`;
    print(line`${palette.bad(words)}`);
  }
  const rest = ended.length - MAX_UNANSWERED;
  if (rest > 0) print(line`${palette.bad(`and ${rest} more were never answered`)}`);
}

function toJson({ ev, ...event }: TraceEvent, facts: FrameFacts | undefined): object {
  return { event: ev, ...facts, ...event };
}

interface LineOptions {
  readonly index: FrameIndex;
  readonly printer: Printer;
  readonly isBrief: boolean;
  readonly ends: EndNames;
  readonly columns: number | undefined;
}

function toLine(event: TraceEvent, way: LineOptions): Printable | undefined {
  const { index, isBrief, columns = DEFAULT_COLUMNS } = way;
  const { palette } = way.printer;
  const time = `${(event.t / 1000).toFixed(3)} s`.padStart(11);
  if (event.ev === "transcript") return line`${palette.dim(time)}  ${event.text}`;
  if (isBrief) return undefined;
  const endsAt = (ch: string) => endsOf(index.protocolOf(ch), way.ends);
  const at = (ch: string, dir: string): Printable => {
    const { agent, ide } = endsAt(ch);
    const arrow = dir === "agent>ide" ? "→" : "←";
    return line`${palette.dim(time)}  ${ch.padEnd(3)} ${agent} ${arrow} ${ide}`;
  };
  if (event.ev === "http") return toHttpLine(event, way, at);
  if (event.ev === "control") {
    const [first = ""] = (event.text ?? "").split("\n");
    return line`${at(event.ch, event.dir)}  ${palette.dim(`${event.op} ${shorten(first, 60)}`)}`;
  }
  const facts = event.ev === "frame" ? index.of(event.n) : undefined;
  if (event.ev !== "frame" || facts === undefined) return undefined;
  const begin = line`${at(event.ch, event.dir)}  ${describeFrame(facts, event, way.printer)}`;
  const room = columns - visibleLength(begin) - 2;
  if (facts.kind === "malformed" || room < 20) return begin;
  const { sentence } = explainFrame(facts, event.raw, endsAt(event.ch));
  return line`${begin}  ${palette.dim(cutEnd(sentence, room))}`;
}

/** One line for an exchange, once its response has begun. */
function toHttpLine(
  event: TraceEvent & HttpEvent,
  { index, printer: { palette } }: LineOptions,
  at: (ch: string, dir: string) => Printable,
): Printable | undefined {
  const n = index.http.requestOf(event);
  const exchange = n === undefined ? undefined : index.http.of(n);
  const isDue = event.part === "response" || event.problem !== undefined;
  if (exchange === undefined || !isDue) return undefined;
  const { method, url = "" } = exchange.request;
  const how = event.problem ?? `${event.status} after ${formatMs(exchange.waitedMs ?? 0)}`;
  const { title } = explainHttp(exchange);
  const words = `HTTP ${method} ${shorten(url.split("?")[0] ?? "", 80)}  ${shorten(how, 80)}`;
  return line`${at(event.ch, "agent>ide")}  ${words}  ${palette.dim(shorten(title, 80))}`;
}

function describeFrame(facts: FrameFacts, event: FrameEvent, { palette }: Printer): Printable {
  const { kind, id, durationMs, errorCode, toolError } = facts;
  const method = shorten(facts.method ?? "?", 200);
  const tool = facts.tool === undefined ? undefined : shorten(facts.tool, 200);
  const call = line`${tool === undefined ? palette.bold(method) : line`${method} ${palette.bold(tool)}`}`;
  const number = id === undefined ? "" : ` #${shorten(JSON.stringify(id), 80)}`;
  const size = palette.dim(`${bytesOf(event)} B`);
  const took = durationMs === undefined ? "" : ` after ${formatMs(durationMs)}`;
  switch (kind) {
    case "request":
    case "notification":
      return join([call, number, "  ", size]);
    case "result": {
      const what: LineValue = toolError === true ? palette.bad("isError") : "result";
      return join([what, " of ", call, number, took, "  ", size]);
    }
    case "error":
      return join([palette.bad(`error ${errorCode ?? ""}`), " of ", call, number, took]);
    case "batch":
      return join(["batch  ", size]);
    default:
      return join([palette.bad(describeOdd(event)), "  ", size]);
  }
}

function bytesOf({ raw, form, cut }: FrameEvent): number {
  return cut ?? Buffer.byteLength(raw, form === undefined ? "utf8" : "base64");
}

/** The beginning of a sentence is the most informative. */
function cutEnd(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, wholeCut(text, length - 1))}…`;
}

function describeOdd({ raw, form, cut }: FrameEvent): string {
  if (form === "binary") return "binary";
  if (form === "not-utf8") return "not UTF-8";
  if (cut !== undefined) return "too long to be stored";
  return `not JSON-RPC: ${shorten(raw, 60)}`;
}

function formatMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The length without colours. */
function visibleLength({ text }: Printable): number {
  return stripVTControlCharacters(text).length;
}
