import {
  DecodedText,
  findSecrets,
  findSpellings,
  fromBase64,
  isPlaceholder,
  isSecretKey,
  replaceRanges,
  spellingsOf,
  type TextRange,
  toBase64,
  toBinary,
} from "@idewire/core/internal";
import type { TraceEvent } from "../format/trace-event.ts";
import type { Trace, TraceHeader } from "../format/trace-file.ts";
import { wholeWords } from "../recording/cut-event.ts";
import { findHomes, KnownHomes, KnownNames } from "./find-people.ts";
import { isJson, rewriteStrings } from "./json-strings.ts";
import { type Redaction, StandIns } from "./stand-ins.ts";

/** The values to remove before a trace is shared. */
export interface RedactOptions {
  /** Home directories in unusual places; the usual ones are recognised by their form. */
  readonly homes?: readonly string[];
  /** Names of people; those found in home directories when left out. */
  readonly names?: readonly string[];
  /** Also replaces the texts of files by their lengths. */
  readonly texts?: boolean;
  /** Removes only these kinds, whatever the other options say: for display on the person's own machine. */
  readonly only?: readonly Redaction["what"][];
}

/** A redacted trace, and what was replaced in it. */
export interface RedactedTrace {
  readonly trace: Trace;
  readonly redactions: readonly Redaction[];
}

/** Redacts one event after another, as a recorder does. */
export interface Redactor {
  /** Returns a redacted copy of the event. */
  redact(event: TraceEvent): TraceEvent;
  /** As {@link Redactor.redact}, in slices, between which other work may be done. */
  redactInSteps(event: TraceEvent): Generator<void, TraceEvent>;
  /** Also removes this value from now on, wherever it occurs and however it is escaped. */
  hide(secret: string): void;
  /** The replacements so far. */
  readonly redactions: readonly Redaction[];
  /** The kinds that are replaced, for the header of the trace. */
  readonly kinds: readonly Redaction["what"][];
}

const USUAL = ["token", "home", "name"] as const;
/** Deeper members of events are left out; deeper JSON within JSON is text. */
const MAX_LEVELS = 100;
const MAX_DEPTH = 12;
/** How much of a text is searched at once, in UTF-16 units. */
const PIECE_UNITS = 1 << 16;
/** Field names and values of the format. */
const OWN_WORDS = new Set(
  (
    "n t by ev ch dir raw form cut pieces fault lost op text code reason protocol what file who change kind path " +
    "frame open close control http failed exchange part request response event end browser lock gesture transcript editor agent>ide ide>agent"
  ).split(" "),
);
const TEXT_KEYS = new Set(["text", "new_file_contents", "content", "original", "proposed"]);
const CUT_TEXT = /^\(\d{1,12} characters\)$/;
/** A shorter secret would match in every text. */
const MIN_HIDDEN = 6;
const SCHEME = /^(?:basic|bearer|digest|negotiate|token)\s{1,8}(?=\S)/i;

/**
 * Replaces tokens, home directories and people's names in every text of a trace, and the texts of files
 * if asked to. The same value becomes the same stand-in everywhere, so that related frames stay
 * recognisable as such.
 */
export function redactTrace(trace: Trace, options: RedactOptions = {}): RedactedTrace {
  return finish(redactInSteps(trace, options));
}

/**
 * As {@link redactTrace}, in slices: for a page that has to stay responsive.
 * Yields the part that is done, from 0 to 1, also within a long event.
 */
export function* redactInSteps(
  trace: Trace,
  options: RedactOptions = {},
): Generator<number, RedactedTrace> {
  const total = Math.max(1, trace.events.length);
  const redactor = new TraceRedactor(options);
  // Names and secrets that are found late have to be replaced in earlier events too.
  for (const [at, event] of trace.events.entries()) {
    const steps = redactor.redactInSteps(event);
    while (steps.next().done !== true) yield at / total / 2;
    yield at / total / 2;
  }
  redactor.countAnew();
  const events: TraceEvent[] = [];
  for (const event of trace.events) {
    const steps = redactor.redactInSteps(event);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield 0.5 + events.length / total / 2;
    events.push(step.value);
    yield 0.5 + events.length / total / 2;
  }
  const header = { ...redactor.header(trace.header), redacted: redactor.kinds };
  return { trace: { header, events }, redactions: redactor.redactions };
}

/**
 * A {@link Redactor} for a trace that is still being written: it knows only the names that it has seen
 * in home directories so far.
 */
export function createRedactor(options: RedactOptions = {}): Redactor {
  return new TraceRedactor(options);
}

class TraceRedactor implements Redactor {
  readonly kinds: readonly Redaction["what"][];
  readonly #names = new KnownNames();
  readonly #homes: KnownHomes;
  readonly #learnsNames: boolean;
  readonly #standIns = new StandIns();

  constructor({ homes = [], names, texts = false, only }: RedactOptions) {
    this.kinds = only ?? [...USUAL, ...(texts ? (["text"] as const) : [])];
    this.#homes = new KnownHomes(homes);
    this.#learnsNames = names === undefined;
    const known = names ?? homes.map((home) => home.split(/[\\/]/).at(-1) ?? "");
    for (const name of known) this.#names.add(name);
  }

  get redactions(): readonly Redaction[] {
    return this.#standIns.redactions;
  }

  /** Resets the counts; learned names and secrets remain known. */
  countAnew(): void {
    this.#standIns.countAnew();
  }

  hide(secret: string): void {
    this.#standIns.hide(spellingsOf(secret, MIN_HIDDEN));
  }

  redact(event: TraceEvent): TraceEvent {
    return finish(this.redactInSteps(event));
  }

  *redactInSteps(event: TraceEvent): Generator<void, TraceEvent> {
    if (event.ev === "frame" && event.form !== undefined) {
      const raw = yield* this.#cleanBytes(event.raw);
      return { ...((yield* this.#walk({ ...event, raw: "" })) as typeof event), raw };
    }
    // Only in an editor's changes is `text` the text of a file.
    if (event.ev !== "editor") return (yield* this.#walk(event)) as TraceEvent;
    const { change, ...rest } = event;
    const cleaned = (yield* this.#walk(change, { isFile: true })) as typeof change;
    return { ...((yield* this.#walk(rest)) as typeof event), change: cleaned };
  }

  header(header: TraceHeader): TraceHeader {
    return finish(this.#walk(header)) as TraceHeader;
  }

  /** Every string of an event, including unknown members and the names of members. */
  *#walk(value: unknown, member: Member = {}, level = 0): Generator<void, unknown> {
    if (typeof value === "string") {
      return OWN_WORDS.has(value) ? value : yield* this.#clean(value, member);
    }
    if (typeof value !== "object" || value === null) return value;
    if (level > MAX_LEVELS) return undefined;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(yield* this.#walk(item, member, level + 1));
      return items;
    }
    const members: [string, unknown][] = [];
    for (const [key, part] of Object.entries(value)) {
      const name = OWN_WORDS.has(key) ? key : yield* this.#clean(key, {});
      members.push([name, yield* this.#walk(part, { ...member, key }, level + 1)]);
    }
    return Object.fromEntries(members);
  }

  /** A string by its key, else the strings of the JSON that it is, else its text. */
  *#clean(text: string, { key, isFile = false }: Member, depth = 0): Generator<void, string> {
    if (key !== undefined && isFile && this.#hides("text") && TEXT_KEYS.has(key)) {
      return CUT_TEXT.test(text) ? text : this.#standIns.text(text);
    }
    if (key !== undefined && this.#hides("token") && isSecretKey(key)) {
      const scheme = SCHEME.exec(text.slice(0, 40))?.[0] ?? "";
      const secret = text.slice(scheme.length);
      if (!isPlaceholder(secret)) return scheme + this.#standIns.token(secret);
    }
    if (depth > MAX_DEPTH || !isJson(text)) return yield* this.#cleanText(text);
    return yield* rewriteStrings(text, (value, key) =>
      this.#clean(value, { key, isFile: true }, depth + 1),
    );
  }

  *#cleanText(text: string): Generator<void, string> {
    let cleaned = "";
    for (let done = 0; done < text.length; ) {
      const piece = pieceOf(text, done);
      cleaned += this.#cleanPiece(piece);
      done += piece.length;
      if (done < text.length) yield;
    }
    return cleaned;
  }

  #cleanPiece(piece: string): string {
    if (piece.length < 3) return piece;
    const decoded = new DecodedText(piece);
    const { text } = decoded;
    const found: Found[] = [];
    const add = (from: number, to: number, rest: Omit<Found, "from" | "to">): void => {
      found.push({ from, to, ...rest });
    };
    if (this.#hides("token"))
      for (const { from, to } of findSecrets(text)) add(from, to, { what: "token" });
    for (const [known, by] of this.#standIns.known) {
      for (const { from, to } of findSpellings(text, [known])) add(from, to, { what: "token", by });
    }
    if (this.#hides("home")) {
      findHomes(text, add, (name) => this.#learnsNames && this.#names.add(name));
      this.#homes.find(text, add);
      this.#names.find(text, add);
    }
    return replaceRanges(decoded, found, (value, { what, by }) => {
      return what === "token"
        ? this.#standIns.token(value, by)
        : this.#standIns.person(what, value, by);
    });
  }

  /** Secrets cannot be found in base64, so bytes are decoded first. */
  *#cleanBytes(raw: string): Generator<void, string> {
    const bytes = fromBase64(raw);
    if (bytes === undefined) return yield* this.#clean(raw, {});
    const text = bytesToText(bytes);
    const cleaned = yield* this.#clean(text, {});
    return cleaned === text ? raw : toBase64(new TextEncoder().encode(cleaned));
  }

  #hides(what: Redaction["what"]): boolean {
    return this.kinds.includes(what);
  }
}

/** The role of a string in an event, or in JSON. */
interface Member {
  readonly key?: string | undefined;
  /** Under some keys it is the text of a file. */
  readonly isFile?: boolean;
}

interface Found extends TextRange {
  readonly what: "token" | "home" | "name";
  readonly by?: string;
}

/** The next piece of a long text: whole lines, or whole words, if they are short enough. */
function pieceOf(text: string, from: number): string {
  const piece = text.slice(from, from + PIECE_UNITS);
  if (from + piece.length === text.length) return piece;
  const line = piece.lastIndexOf("\n") + 1;
  return line > PIECE_UNITS / 2 ? piece.slice(0, line) : wholeWords(piece);
}

/** Decodes UTF-8; bytes that are not UTF-8 become one unit each. */
function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return toBinary(bytes);
  }
}

function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
