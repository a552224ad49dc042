import type { EditorChange, TraceEvent } from "./trace-event.ts";
import type { Trace, TraceHeader } from "./trace-file.ts";

/** What has to go before a trace leaves. */
export interface RedactOptions {
  /** Home directories in unusual places; the usual ones are known by their form. */
  readonly homes?: readonly string[];
  /** Names of people; those in whose home directories files lie when left out. */
  readonly names?: readonly string[];
  /** Texts of files go as well: only their lengths stay. */
  readonly texts?: boolean;
  /** These kinds alone, whatever the other options say: what a person looks at on the own machine. */
  readonly only?: readonly Redaction["what"][];
}

/** One thing that was replaced, for a preview; the value is not told in full. */
export interface Redaction {
  readonly what: "token" | "home" | "name" | "text";
  /** The first characters of it, and how long it was. */
  readonly sample: string;
  readonly count: number;
}

/** A trace without what is nobody else's business, and what was taken out. */
export interface RedactedTrace {
  readonly trace: Trace;
  readonly redactions: readonly Redaction[];
}

/** Redacts one event after the other, as a recorder does. */
export interface Redactor {
  /** A copy of the event without what has to go. */
  redact(event: TraceEvent): TraceEvent;
  /** What was taken out so far. */
  readonly redactions: readonly Redaction[];
  /** What kinds of things are taken out, for the header of the trace. */
  readonly kinds: readonly Redaction["what"][];
}

/** Long runs of base64url or hexadecimal, UUIDs, and values of keys that name a secret. */
const TOKEN =
  /(?<![\w-])(?:[A-Za-z0-9_-]{40,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/g;
const SECRET_VALUE =
  /((?:auth[-_]?token|token|secret|password|authorization|api[-_]?key)\\*"\s*:\s*\\*")([^"\\]+)/gi;
const BEARER = /(bearer[ .])([\w.~+/-]{8,}=*)/gi;
const HOME = /((?:\/home\/|\/Users\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)))([^/\\"'\s:]+)/g;
const TEXT_VALUE =
  /("(?:text|new_file_contents|content|original|proposed)"\s*:\s*")((?:[^"\\]|\\.)*)"/g;

const USUAL = ["token", "home", "name"] as const;

/**
 * Takes tokens, home directories and people's names out of every text of a trace, and the texts of
 * files when asked to. The same value becomes the same stand-in everywhere, so that frames that
 * belong together still do.
 */
export function redactTrace(trace: Trace, options: RedactOptions = {}): RedactedTrace {
  const steps = redactInSteps(trace, options);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * As {@link redactTrace}, a little at a time: for a page that has to answer its person meanwhile.
 * Yields what part is done, from 0 to 1.
 */
export function* redactInSteps(
  trace: Trace,
  options: RedactOptions = {},
): Generator<number, RedactedTrace> {
  const total = Math.max(1, trace.events.length);
  const found = new Set<string>();
  for (const [at, event] of trace.events.entries()) {
    if (options.names !== undefined) break;
    findNames(event, found);
    yield at / total / 2;
  }
  const redactor = new TraceRedactor({ ...options, names: options.names ?? [...found] });
  const events: TraceEvent[] = [];
  for (const event of trace.events) {
    events.push(redactor.redact(event));
    yield 0.5 + events.length / total / 2;
  }
  const header = { ...redactor.header(trace.header), redacted: redactor.kinds };
  return { trace: { header, events }, redactions: redactor.redactions };
}

/**
 * A {@link Redactor} for a trace that is still being written: it knows the names that it has seen in
 * home directories so far.
 */
export function createRedactor(options: RedactOptions = {}): Redactor {
  return new TraceRedactor(options);
}

class TraceRedactor implements Redactor {
  readonly kinds: readonly Redaction["what"][];
  readonly #homes: readonly string[];
  readonly #names: Set<string>;
  readonly #learns: boolean;
  readonly #tokens = new Map<string, string>();
  readonly #found = new Map<string, { what: Redaction["what"]; value: string; count: number }>();

  constructor({ homes = [], names, texts = false, only }: RedactOptions) {
    this.kinds = only ?? [...USUAL, ...(texts ? (["text"] as const) : [])];
    this.#homes = longestFirst(homes.flatMap((home) => [home, escaped(home)]));
    this.#names = new Set(names?.filter(({ length }) => length > 1));
    this.#learns = names === undefined;
  }

  get redactions(): readonly Redaction[] {
    return [...this.#found.values()].map(({ what, value, count }) => ({
      what,
      sample: sampleOf(what, value),
      count,
    }));
  }

  redact(event: TraceEvent): TraceEvent {
    return redactEvent(event, (text) => this.#clean(text));
  }

  header(header: TraceHeader): TraceHeader {
    const cleaned = Object.entries(header).map(([key, value]) => [
      key,
      typeof value === "string" ? this.#clean(value) : value,
    ]);
    return Object.fromEntries(cleaned) as TraceHeader;
  }

  #clean(text: string): string {
    let result = text
      .replace(SECRET_VALUE, (_, key: string, value: string) => key + this.#token(value))
      .replace(BEARER, (_, key: string, value: string) => key + this.#token(value))
      .replace(TOKEN, (token) => this.#token(token));
    if (this.kinds.includes("text")) result = this.#cutTexts(result);
    return this.kinds.includes("home") ? this.#withoutPeople(result) : result;
  }

  #withoutPeople(text: string): string {
    let result = text;
    for (const home of this.#homes) {
      result = replaceWord(result, home, "/home/me", () => this.#note("home", home));
    }
    result = result.replace(HOME, (path: string, place: string, name: string) => {
      if (this.#learns && name !== "me" && name.length > 1) this.#names.add(name);
      this.#note("home", path);
      return `${place}me`;
    });
    for (const name of longestFirst(this.#names)) {
      result = replaceWord(result, name, "me", () => this.#note("name", name));
    }
    return result;
  }

  #token(token: string): string {
    this.#note("token", token);
    const standIn = this.#tokens.get(token) ?? `redacted-token-${this.#tokens.size + 1}`;
    this.#tokens.set(token, standIn);
    return standIn;
  }

  #cutTexts(text: string): string {
    return text.replace(TEXT_VALUE, (_, key: string, value: string) => {
      this.#note("text", value);
      return `${key}(${value.length} characters)"`;
    });
  }

  #note(what: Redaction["what"], value: string): void {
    const key = `${what} ${value}`;
    const { count } = this.#found.get(key) ?? { count: 0 };
    // Not for every text of a long session.
    if (count > 0 || this.#found.size < 10_000)
      this.#found.set(key, { what, value, count: count + 1 });
  }
}

function findNames(event: TraceEvent, names: Set<string>): void {
  for (const [, , name] of JSON.stringify(event).matchAll(HOME)) {
    if (name !== undefined && name !== "me") names.add(name);
  }
}

function redactEvent(event: TraceEvent, clean: (text: string) => string): TraceEvent {
  switch (event.ev) {
    case "frame":
      return { ...event, raw: clean(event.raw) };
    case "close":
      return { ...event, reason: clean(event.reason) };
    case "control":
      return event.text === undefined ? event : { ...event, text: clean(event.text) };
    case "lock":
      return { ...event, file: clean(event.file) };
    case "editor":
      // Through JSON, so that no member is forgotten and the texts are found by their keys.
      return { ...event, change: JSON.parse(clean(JSON.stringify(event.change))) as EditorChange };
    case "open":
      return event;
    default:
      return { ...event, text: clean(event.text) };
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function longestFirst(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter((text) => text !== "").sort((a, b) => b.length - a.length);
}

/** Replaces a text where it stands as a word of its own, as in a path. */
function replaceWord(text: string, word: string, by: string, note: () => void): string {
  const isWord = (char: string): boolean => /[\p{L}\p{N}_-]/u.test(char);
  let result = "";
  let from = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (
      isWord(text.charAt(end)) ||
      (at > 0 && isWord(word.charAt(0)) && isWord(text.charAt(at - 1)))
    )
      continue;
    result += text.slice(from, at) + by;
    from = end;
    note();
  }
  return result + text.slice(from);
}

function sampleOf(what: Redaction["what"], value: string): string {
  if (what === "home" || what === "name") return value;
  return `${value.slice(0, 4)}… (${value.length} characters)`;
}
