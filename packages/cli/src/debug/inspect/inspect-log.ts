import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers";
import { type FrameEvent, InspectionLog } from "@idewire/devtools/internal";
import type { Direction } from "@idewire/devtools/trace";
import { BEGINNING_BYTES, MessageMemory, type WireItem } from "./wire-reader.ts";

/** Only the beginning of a longer message is decoded: the log would cut the text anyway. */
const MAX_SHOWN_BYTES = 1 << 22;

/** The log of an inspection that reads wires itself. */
export class InspectLog extends InspectionLog {
  /** The memory budget of all wires. */
  readonly memory: MessageMemory = new MessageMemory();

  constructor() {
    super(setImmediate);
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
    return Buffer.from(this.redact(bytes.toString("latin1")), "latin1");
  }
}
