import { isUtf8 } from "node:buffer";
import { type Direction, EventLog, type FrameEvent, type TraceFact } from "@idewire/core/trace";
import type { WireItem } from "./wire-reader.ts";

/** What is kept for a page that comes later. */
const KEPT = { maxEvents: 20_000, maxUnits: 32_000_000 };
/** A shorter one would be found in every text. */
const MIN_TOKEN_UNITS = 6;
const STAND_IN = "redacted-token";

/**
 * What passes between agents and an editor, as a log of the kind that the page draws. Frames stand
 * in it to the letter, but for the tokens that it knows: those never get into it.
 */
export class InspectLog {
  readonly log: EventLog = new EventLog(KEPT);
  readonly #tokens = new Set<string>();
  #connections = 0;

  /** From now on this stands in no text of the log, as it is or as JSON or an address spells it. */
  hide(token: string | undefined): void {
    if (token === undefined || token.length < MIN_TOKEN_UNITS) return;
    for (const spelt of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]) {
      this.#tokens.add(spelt);
    }
  }

  /** The name of the next connection. */
  name(): string {
    this.#connections += 1;
    return `c${this.#connections}`;
  }

  /** In words, for the person. */
  say(text: string): void {
    this.append({ ev: "transcript", text, who: "idewire" });
  }

  append(fact: TraceFact): void {
    this.log.append(this.#clean(fact));
  }

  /** What was read on a wire, but for its end. */
  take(item: WireItem, { ch, dir }: { readonly ch: string; readonly dir: Direction }): void {
    if (item.kind === "message") this.append(this.#toFrame(item, { ch, dir }));
    else if (item.kind === "ping" || item.kind === "pong") {
      const { length } = item.bytes;
      const hex = this.#cleanBytes(item.bytes).toString("hex");
      const text = length === 0 ? {} : { text: `${length} bytes: ${hex}` };
      this.append({ ev: "control", ch, dir, op: item.kind, ...text });
    }
  }

  #toFrame(
    { bytes, size, pieces, isBinary }: Extract<WireItem, { readonly kind: "message" }>,
    { ch, dir }: { readonly ch: string; readonly dir: Direction },
  ): FrameEvent {
    const isCut = size > bytes.length;
    // A cut may go through a character.
    const form = isBinary ? "binary" : isCut || isUtf8(bytes) ? undefined : "not-utf8";
    const raw = form === undefined ? bytes.toString() : this.#cleanBytes(bytes).toString("base64");
    return {
      ...{ ev: "frame", ch, dir, raw },
      ...(form !== undefined && { form }),
      ...(isCut && { cut: size }),
      ...(pieces > 1 && { pieces }),
    };
  }

  /** What is spelt otherwise in a log could not be found there. */
  #cleanBytes(bytes: Buffer): Buffer {
    return Buffer.from(this.#without(bytes.toString("latin1")), "latin1");
  }

  #clean(fact: TraceFact): TraceFact {
    switch (fact.ev) {
      case "frame":
        return { ...fact, raw: this.#without(fact.raw) };
      case "close":
        return { ...fact, reason: this.#without(fact.reason) };
      case "control":
        return fact.text === undefined ? fact : { ...fact, text: this.#without(fact.text) };
      case "transcript":
        return { ...fact, text: this.#without(fact.text) };
      default:
        return fact;
    }
  }

  #without(text: string): string {
    let clean = text;
    for (const token of this.#tokens) clean = clean.replaceAll(token, STAND_IN);
    return clean;
  }
}
