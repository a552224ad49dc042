import { isObject } from "./message.ts";
import { CloseCode, type CloseReason, LOW_WATER_BYTES, type Transport } from "./transport.ts";

/** The members of a MessagePort's event that are read; a message has `data`. */
export interface PortEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** The common interface of a MessagePort, a Worker and a worker's global scope. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message" | "close", listener: (event: PortEvent) => void): void;
  removeEventListener(type: "message" | "close", listener: (event: PortEvent) => void): void;
  /** A MessagePort queues its messages until this is called. */
  start?(): void;
  /** Only a MessagePort has it; a Worker is terminated by its owner. */
  close?(): void;
}

/** Frames are sent as strings, the control messages between the two transports as objects. */
interface PortControl {
  /** How many UTF-16 units the reader has received since its last report. */
  readonly taken?: unknown;
  /** A {@link CloseReason}. */
  readonly close?: unknown;
}

/** After how many UTF-16 units a reader reports; few enough reports to cost nothing. */
const REPORT_EVERY = 1 << 16;

class MessagePortTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #port: MessagePortLike;
  readonly #listener = (event: PortEvent) => this.#receive(event.data);
  readonly #died = () => this.#finish({ code: CloseCode.Abnormal, reason: "" });
  #buffered = 0;
  #unreported = 0;
  #closed = false;

  constructor(port: MessagePortLike) {
    this.#port = port;
    port.addEventListener("message", this.#listener);
    // Where the platform has this event: the other end's thread ended without closing the port.
    port.addEventListener("close", this.#died);
    port.start?.();
  }

  get bufferedAmount(): number {
    return this.#buffered;
  }

  send(frame: string): void {
    if (this.#closed) return;
    this.#buffered += frame.length;
    this.#port.postMessage(frame);
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closed) return;
    const why: CloseReason = { code, reason };
    this.#emit({ close: why });
    this.#finish(why);
  }

  #receive(data: unknown): void {
    if (typeof data === "string") {
      this.#unreported += data.length;
      this.onframe?.(data);
      this.#report();
    } else if (isObject(data)) {
      this.#obey(data);
    } else {
      this.close(CloseCode.UnsupportedData, "Only text frames are understood");
    }
  }

  #report(): void {
    if (this.#closed || this.#unreported < REPORT_EVERY) return;
    this.#emit({ taken: this.#unreported });
    this.#unreported = 0;
  }

  #obey(control: PortControl): void {
    if (isObject(control.close)) {
      const { code, reason } = control.close;
      this.#finish({
        code: typeof code === "number" ? code : CloseCode.NoStatus,
        reason: typeof reason === "string" ? reason : "",
      });
    } else if (typeof control.taken === "number" && control.taken > 0) {
      const before = this.#buffered;
      this.#buffered = Math.max(0, before - control.taken);
      if (before > LOW_WATER_BYTES && this.#buffered <= LOW_WATER_BYTES) this.ondrain?.();
    }
  }

  #emit(control: PortControl): void {
    this.#port.postMessage(control);
  }

  #finish(reason: CloseReason): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#port.removeEventListener("message", this.#listener);
    this.#port.removeEventListener("close", this.#died);
    queueMicrotask(() => {
      this.#port.close?.();
      this.onclose?.(reason);
    });
  }
}

/**
 * Creates a transport over one end of a MessageChannel, a Worker, or a worker's global scope. The other
 * end must be such a transport too: they report to each other what was read, which `bufferedAmount`
 * reflects (in UTF-16 units, in steps of 64 Ki), and when they close.
 */
export function createMessagePortTransport(port: MessagePortLike): Transport {
  return new MessagePortTransport(port);
}
