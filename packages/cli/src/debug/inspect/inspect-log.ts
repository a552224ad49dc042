import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers";
import { createRedactor, EventRecorder, type FrameEvent } from "@idewire/devtools/internal";
import { type Direction, EventLog, type TraceFact } from "@idewire/devtools/trace";
import type { WireItem } from "./wire-reader.ts";

/** What is kept for a page that comes later. */
const KEPT = { maxEvents: 20_000, maxUnits: 32_000_000 };

/**
 * What passes between agents and an editor, as a log of the kind that the page draws. Frames stand
 * in it unchanged, except for the tokens that it knows: those never get into it.
 */
export class InspectLog {
  readonly log: EventLog = new EventLog(KEPT);
  readonly #redactor = createRedactor({ only: [] });
  readonly #recorder = new EventRecorder({
    redactor: this.#redactor,
    take: (event) => void this.log.adopt(event),
    defer: setImmediate,
  });
  #connections = 0;

  /** From now on this text is removed from the log, in any encoding. */
  hide(token: string | undefined): void {
    if (token !== undefined) this.#redactor.hide(token);
  }

  /** The name of the next connection. */
  name(): string {
    this.#connections += 1;
    return `c${this.#connections}`;
  }

  /** In words, for the person. */
  print(text: string): void {
    this.append({ ev: "transcript", text, who: "idewire" });
  }

  /** Puts into the log what still waits to be looked through. */
  finish(): void {
    this.#recorder.finish();
  }

  append(fact: TraceFact): void {
    this.#recorder.add({ n: 0, t: this.log.nowMs, ...fact });
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
    { bytes, size, chunks, isBinary }: Extract<WireItem, { readonly kind: "message" }>,
    { ch, dir }: { readonly ch: string; readonly dir: Direction },
  ): FrameEvent {
    const isCut = size > bytes.length;
    // A cut may go through a character.
    const form = isBinary ? "binary" : isCut || isUtf8(bytes) ? undefined : "not-utf8";
    const raw = bytes.toString(form === undefined ? "utf8" : "base64");
    return {
      ...{ ev: "frame", ch, dir, raw },
      ...(form !== undefined && { form }),
      ...(isCut && { cut: size }),
      ...(chunks > 1 && { pieces: chunks }),
    };
  }

  /** Of a ping: a log has its bytes as hexadecimal, in which no token could be found. */
  #cleanBytes(bytes: Buffer): Buffer {
    const raw = bytes.toString("latin1");
    const event = this.#redactor.redact({ n: 0, t: 0, ev: "transcript", text: raw });
    return event.ev === "transcript" ? Buffer.from(event.text, "latin1") : bytes;
  }
}
