import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers";
import { createRedactor, EventRecorder, type FrameEvent } from "@idewire/devtools/internal";
import { type Direction, EventLog, type TraceFact } from "@idewire/devtools/trace";
import { BEGINNING_BYTES, MessageMemory, type WireItem } from "./wire-reader.ts";

/** Only the beginning of a longer message is decoded: the log would cut the text anyway. */
const MAX_SHOWN_BYTES = 1 << 22;
/** How much is stored for pages that are opened later. */
const KEPT = { maxEvents: 20_000, maxUnits: 16_000_000 };

/**
 * The traffic between agents and an editor, as a log for the page. Frames are recorded unchanged, except for
 * the known tokens, which are never recorded.
 */
export class InspectLog {
  readonly log: EventLog = new EventLog(KEPT);
  /** The memory budget of all wires. */
  readonly memory: MessageMemory = new MessageMemory();
  readonly #redactor = createRedactor({ only: [] });
  readonly #recorder = new EventRecorder({
    redactor: this.#redactor,
    take: (event) => void this.log.adopt(event),
    defer: setImmediate,
  });
  #connections = 0;

  /** Removes this text from the log from now on, in any encoding. */
  hide(token: string | undefined): void {
    if (token !== undefined) this.#redactor.hide(token);
  }

  /** The name of the next connection. */
  name(): string {
    this.#connections += 1;
    return `c${this.#connections}`;
  }

  /** Logs a message for the person. */
  print(text: string): void {
    this.append({ ev: "transcript", text, who: "idewire" });
  }

  /** Logs the events that still wait to be redacted. */
  finish(): void {
    this.#recorder.finish();
  }

  append(fact: TraceFact): void {
    this.#recorder.add({ n: 0, t: this.log.nowMs, ...fact });
  }

  /** Logs an item of a wire, except its end. */
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
    { bytes: all, size, chunks, isBinary }: Extract<WireItem, { readonly kind: "message" }>,
    { ch, dir }: { readonly ch: string; readonly dir: Direction },
  ): FrameEvent {
    const bytes = all.length > MAX_SHOWN_BYTES ? all.subarray(0, BEGINNING_BYTES) : all;
    const isCut = size > bytes.length;
    // The cut may be inside a character.
    const form = isBinary ? "binary" : isCut || isUtf8(bytes) ? undefined : "not-utf8";
    const raw = bytes.toString(form === undefined ? "utf8" : "base64");
    return {
      ...{ ev: "frame", ch, dir, raw },
      ...(form !== undefined && { form }),
      ...(isCut && { cut: size }),
      ...(chunks > 1 && { pieces: chunks }),
    };
  }

  /** For pings: the log has their bytes as hexadecimal, in which tokens cannot be found. */
  #cleanBytes(bytes: Buffer): Buffer {
    const raw = bytes.toString("latin1");
    const event = this.#redactor.redact({ n: 0, t: 0, ev: "transcript", text: raw });
    return event.ev === "transcript" ? Buffer.from(event.text, "latin1") : bytes;
  }
}
