import type { TraceEvent } from "../format/trace-event.ts";
import type { Trace, TraceHeader } from "../format/trace-file.ts";
import { bytesToText, fromBase64, toBase64 } from "./base64.ts";
import { cleanText } from "./clean-text.ts";
import { KnownHomes, KnownNames } from "./find-people.ts";
import type { Findings } from "./findings.ts";
import { readSpelling } from "./spelled-view.ts";
import { cleanMember } from "./text-literals.ts";

/** What to remove before a trace is shared. */
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

/** One value that was replaced, for a preview; it is not shown in full. */
export interface Redaction {
  readonly what: "token" | "home" | "name" | "text";
  /** Its first characters and its length. */
  readonly sample: string;
  readonly count: number;
}

/** A redacted trace, and what was replaced in it. */
export interface RedactedTrace {
  readonly trace: Trace;
  readonly redactions: readonly Redaction[];
}

/** Redacts one event after another, as a recorder does. */
export interface Redactor {
  /** A redacted copy of the event. */
  redact(event: TraceEvent): TraceEvent;
  /** As {@link Redactor.redact}, in slices, between which other work may be done. */
  redactInSteps(event: TraceEvent): Generator<void, TraceEvent>;
  /** Removes this as well from now on, wherever it is and however it is escaped. */
  hide(secret: string): void;
  /** What was replaced so far. */
  readonly redactions: readonly Redaction[];
  /** The kinds that are replaced, for the header of the trace. */
  readonly kinds: readonly Redaction["what"][];
}

const USUAL = ["token", "home", "name"] as const;
/** How many tokens are remembered, so that the same token gets the same stand-in. */
const MAX_KNOWN = 50_000;
const MAX_LEARNED = 64;
/** Deeper members are left out. */
const MAX_LEVELS = 100;
/** The words of the format itself: they are never redacted. */
const OWN_WORDS = new Set(
  (
    "n t by ev ch dir raw form cut pieces fault lost op text code reason protocol what file who change kind path " +
    "frame open close control lock gesture transcript editor agent>ide ide>agent"
  ).split(" "),
);
/** A shorter secret would be found in every text. */
const MIN_HIDDEN = 6;

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
  readonly #findings: Findings;
  /** The same for events whose `text` is not that of a file. */
  readonly #speech: Findings;
  readonly #known = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  #found = new Map<string, Redaction>();
  #learned = 0;

  constructor({ homes = [], names, texts = false, only }: RedactOptions) {
    this.kinds = only ?? [...USUAL, ...(texts ? (["text"] as const) : [])];
    const known = new KnownNames();
    for (const name of names ?? homes.map((home) => home.split(/[\\/]/).at(-1) ?? ""))
      known.add(name);
    const learns = names === undefined;
    this.#findings = {
      tokens: this.kinds.includes("token"),
      people: this.kinds.includes("home"),
      texts: this.kinds.includes("text"),
      names: known,
      homes: new KnownHomes(homes),
      known: this.#known,
      learn: (name) => void (learns && known.add(name)),
      standIn: (what, value, by) => this.#standIn(what, value, by),
    };
    this.#speech = { ...this.#findings, texts: false };
  }

  get redactions(): readonly Redaction[] {
    return [...this.#found.values()];
  }

  /** Starts counting again; what was learned stays known. */
  countAnew(): void {
    this.#found = new Map();
  }

  hide(secret: string): void {
    if (secret.length >= MIN_HIDDEN) this.#know(readSpelling(secret));
  }

  redact(event: TraceEvent): TraceEvent {
    return finish(this.redactInSteps(event));
  }

  *redactInSteps(event: TraceEvent): Generator<void, TraceEvent> {
    if (event.ev === "frame" && event.form !== undefined) {
      const raw = yield* this.#cleanBytes(event.raw);
      return { ...((yield* this.#walk({ ...event, raw: "" }, "", 0)) as typeof event), raw };
    }
    // Only in an editor's changes is `text` the text of a file.
    if (event.ev !== "editor") return (yield* this.#walk(event, "", 0)) as TraceEvent;
    const { change, ...rest } = event;
    const cleaned = (yield* this.#walk(change, "", 0, true)) as typeof change;
    return { ...((yield* this.#walk(rest, "", 0)) as typeof event), change: cleaned };
  }

  header(header: TraceHeader): TraceHeader {
    return finish(this.#walk(header, "", 0)) as TraceHeader;
  }

  /** Every string, also in unknown members, and the names of members. */
  *#walk(value: unknown, key: string, level: number, isFile = false): Generator<void, unknown> {
    if (typeof value === "string") {
      if (OWN_WORDS.has(value)) return value;
      const findings = isFile ? this.#findings : this.#speech;
      return cleanMember(key, value, findings) ?? (yield* cleanText(value, this.#findings));
    }
    if (typeof value !== "object" || value === null) return value;
    if (level > MAX_LEVELS) return undefined;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(yield* this.#walk(item, key, level + 1, isFile));
      return items;
    }
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const cleaned = OWN_WORDS.has(name) ? name : yield* cleanText(name, this.#findings);
      members.push([cleaned, yield* this.#walk(member, name, level + 1, isFile)]);
    }
    return Object.fromEntries(members);
  }

  /** Nothing could be found in base64, so bytes are decoded first. */
  *#cleanBytes(raw: string): Generator<void, string> {
    const bytes = fromBase64(raw);
    if (bytes === undefined) return yield* cleanText(raw, this.#findings);
    const text = bytesToText(bytes);
    const cleaned = yield* cleanText(text, this.#findings);
    return cleaned === text ? raw : toBase64(new TextEncoder().encode(cleaned));
  }

  #standIn(what: Redaction["what"], value: string, by?: string): string {
    if (what === "text") {
      this.#note(what, value);
      return `(${value.length} characters)`;
    }
    if (what !== "token") {
      this.#note(what, value);
      return by ?? "me";
    }
    const secret = readSpelling(value.slice(0, 2048));
    this.#note(what, value);
    const isWorth = secret.length >= 8 && secret.length <= 256 && /\d|[^\w\s]/.test(secret);
    if (by === undefined && isWorth && this.#learned < MAX_LEARNED) {
      this.#learned += this.#known.has(secret) ? 0 : 1;
      return this.#know(secret);
    }
    return by ?? this.#numbered(secret.length < 2048 ? secret : keyOf(value));
  }

  #know(secret: string): string {
    const by = this.#known.get(secret) ?? this.#numbered(secret);
    this.#known.set(secret, by);
    return by;
  }

  #numbered(secret: string): string {
    const known = this.#tokens.get(secret);
    if (known !== undefined) return known;
    if (this.#tokens.size >= MAX_KNOWN) return "redacted-token";
    const standIn = `redacted-token-${this.#tokens.size + 1}`;
    this.#tokens.set(secret, standIn);
    return standIn;
  }

  #note(what: Redaction["what"], value: string): void {
    const key = `${what} ${keyOf(value)}`;
    const count = this.#found.get(key)?.count ?? 0;
    // The preview of a long session stays bounded.
    if (count === 0 && this.#found.size >= 10_000) return;
    this.#found.set(key, { what, sample: sampleOf(what, value), count: count + 1 });
  }
}

/** A short key, hardly ever the same for two values. */
function keyOf(value: string): string {
  if (value.length <= 256) return value;
  return `${value.slice(0, 128)} ${value.length} ${value.slice(-128)}`;
}

function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

function sampleOf(what: Redaction["what"], value: string): string {
  if (what === "home" || what === "name") return value.slice(0, 200);
  return `${value.slice(0, 4)}… (${value.length} characters)`;
}
