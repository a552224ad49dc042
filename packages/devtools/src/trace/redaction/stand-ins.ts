import { DecodedText } from "@idewire/core/internal";

/** One value that was replaced, for a preview; it is not shown in full. */
export interface Redaction {
  readonly what: "token" | "home" | "name" | "text";
  /** Its first characters and its length. */
  readonly sample: string;
  readonly count: number;
}

/** How many tokens are remembered, so that the same token gets the same stand-in. */
const MAX_TOKENS = 50_000;
/** How many tokens that were recognised in one place are searched for everywhere. */
const MAX_SEARCHABLE = 64;
/** The preview of a long session stays bounded. */
const MAX_LISTED = 10_000;
/** A longer token is distinguished by this prefix. */
const MAX_KEY = 2048;

/** Replaces values, the same value by the same stand-in, and counts them. */
export class StandIns {
  readonly #known = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  #found = new Map<string, Redaction>();
  #searchable = 0;

  /** Secrets to search for, without escapes, each with its stand-in. */
  get known(): ReadonlyMap<string, string> {
    return this.#known;
  }

  get redactions(): readonly Redaction[] {
    return [...this.#found.values()];
  }

  countAnew(): void {
    this.#found = new Map();
  }

  /** Adds spellings of one secret. */
  hide([secret, ...others]: readonly string[]): void {
    if (secret === undefined) return;
    const by = this.#known.get(secret) ?? this.#numbered(secret);
    for (const spelling of [secret, ...others]) this.#known.set(spelling, by);
  }

  text(value: string): string {
    this.#note("text", value);
    return `(${value.length} characters)`;
  }

  person(what: "home" | "name", value: string, by = "me"): string {
    this.#note(what, value);
    return by;
  }

  /** @param by the stand-in of a known secret */
  token(value: string, by?: string): string {
    this.#note("token", value);
    if (by !== undefined) return by;
    const secret = new DecodedText(value.slice(0, MAX_KEY)).text;
    const isWorth = secret.length >= 8 && secret.length <= 256 && /\d|[^\w\s]/.test(secret);
    if (!isWorth || this.#searchable >= MAX_SEARCHABLE) {
      return this.#numbered(secret.length < MAX_KEY ? secret : keyOf(value));
    }
    if (!this.#known.has(secret)) this.#searchable += 1;
    this.hide([secret]);
    return this.#known.get(secret) ?? "redacted-token";
  }

  #numbered(secret: string): string {
    const known = this.#tokens.get(secret);
    if (known !== undefined) return known;
    if (this.#tokens.size >= MAX_TOKENS) return "redacted-token";
    const standIn = `redacted-token-${this.#tokens.size + 1}`;
    this.#tokens.set(secret, standIn);
    return standIn;
  }

  #note(what: Redaction["what"], value: string): void {
    const key = `${what} ${keyOf(value)}`;
    const count = this.#found.get(key)?.count ?? 0;
    if (count === 0 && this.#found.size >= MAX_LISTED) return;
    this.#found.set(key, { what, sample: sampleOf(what, value), count: count + 1 });
  }
}

/** A short key; collisions are unlikely. */
function keyOf(value: string): string {
  if (value.length <= 256) return value;
  return `${value.slice(0, 128)} ${value.length} ${value.slice(-128)}`;
}

function sampleOf(what: Redaction["what"], value: string): string {
  if (what === "home" || what === "name") return value.slice(0, 200);
  return `${value.slice(0, 4)}… (${value.length} characters)`;
}
