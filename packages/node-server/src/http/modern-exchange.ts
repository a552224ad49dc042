import {
  CloseCode,
  type CloseReason,
  isObject,
  type Peer,
  type RequestId,
  type Transport,
} from "@idewire/core";
import type { JsonBody } from "./json-body.ts";
import { Refused } from "./refused.ts";
import type { Responder } from "./responder.ts";
import type { WaitingExchange } from "./slow-exchanges.ts";
import { statusOf } from "./status-of.ts";

export interface ModernExchangeOptions {
  readonly responder: Responder;
  readonly takesJson: boolean;
  readonly takesEvents: boolean;
}

/**
 * One POST of the modern era as a transport of its own: it lasts for one request, and is closed when the
 * client leaves, which cancels it (MCP 2026-07-28, Streamable HTTP).
 */
export class ModernExchange implements Transport, WaitingExchange {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #options: ModernExchangeOptions;
  readonly #responder: Responder;
  #streams = false;
  #isWaiting = true;
  #reason: CloseReason = { code: CloseCode.Abnormal, reason: "" };

  constructor(options: ModernExchangeOptions) {
    this.#options = options;
    this.#responder = options.responder;
  }

  get bufferedAmount(): number {
    return this.#streams ? this.#responder.bufferedAmount : 0;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * Takes the body.
   * @returns whether its answer is still to come
   * @throws Refused for an answer of the client: nothing has been asked here
   */
  take(peer: Peer, { value, size }: JsonBody): boolean {
    peer.receive(value, size, (frame, id) => this.#answer(frame, id, value));
    if (!this.#isWaiting) return false;
    if (isObject(value) && value["method"] !== undefined && value["id"] !== undefined) {
      this.#watch();
      return true;
    }
    this.#isWaiting = false;
    if (!isObject(value) || value["method"] === undefined) {
      throw new Refused(400, "Nothing was asked: send a request or a notification");
    }
    this.#responder.answer(202, {});
    return false;
  }

  /** Sends what comes before the answer; a client that takes JSON alone does not hear of it. */
  send(frame: string): void {
    this.begin();
    if (this.#streams) this.#responder.write(`event: message\ndata: ${frame}\n\n`);
  }

  begin(): void {
    if (this.#streams || !this.#isWaiting || !this.#options.takesEvents) return;
    this.#streams = true;
    this.#responder.begin({});
  }

  /** Nothing is asked here: questions travel in results. */
  reaches(): boolean {
    return false;
  }

  comment(): void {
    if (this.#streams) this.#responder.write(":\n\n");
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#isWaiting = false;
    this.#reason = { code, reason };
    // A client that does not read would not take the end either.
    if (code === CloseCode.PolicyViolation) this.#responder.destroy();
    else if (this.#streams) this.#responder.end();
    else this.#responder.answer(503, { "retry-after": "1" }, "The server ends\n");
  }

  /** What is answered in the turn in which it arrives needs none of it. */
  #watch(): void {
    this.#responder.onDrain(() => this.ondrain?.());
    // A responder may close in the turn in which it is answered.
    this.#responder.onClose(() => queueMicrotask(() => this.onclose?.(this.#reason)));
  }

  #answer(frame: string, id: RequestId | null | undefined, value: unknown): void {
    if (!this.#options.takesJson) this.begin();
    if (this.#streams) this.send(frame);
    this.#isWaiting = false;
    if (this.#streams) this.#responder.end();
    else {
      const status = statusOf(frame, id, value);
      const retry = status === 503 && { "retry-after": "1" };
      const headers = { ...retry, "content-type": "application/json" };
      this.#responder.answer(status, headers, frame);
    }
  }
}
