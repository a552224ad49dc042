import { systemClock } from "../rpc/clock.ts";
import type { RawMessage } from "../rpc/message.ts";
import type { CloseReason, Transport } from "../rpc/transport.ts";

/** One end of a conversation, played by a test, which can send any text. */
export class RawEnd {
  readonly transport: Transport;
  /** The frames received since the last {@link take}. */
  readonly frames: string[] = [];
  closeReason: CloseReason | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
    transport.onframe = (frame) => this.frames.push(frame);
    transport.onclose = (reason) => {
      this.closeReason = reason;
    };
  }

  /** Sends a string unchanged, and any other value as JSON. */
  send(message: unknown): void {
    this.transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a request. */
  request(id: unknown, method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends the result of a received request. */
  answer(id: unknown, result: unknown): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  /** Returns the messages received since the last call, after everything pending in memory. */
  async take(): Promise<RawMessage[]> {
    await settled();
    return this.frames.splice(0).map((frame) => JSON.parse(frame) as RawMessage);
  }
}

/** Waits until everything pending in memory has happened. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimeout(resolve, 0);
  });
}

/** The longest wait of a test: it fails when it hangs, not when it is slow. */
const TIMEOUT_MS = 60_000;

/** Polls until something is found; undefined after a time-out. */
export async function untilFound<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  const endMs = Date.now() + TIMEOUT_MS;
  let found = await find();
  while (found === undefined && Date.now() < endMs) {
    await settled();
    found = await find();
  }
  return found;
}
