import {
  CloseCode,
  type CloseReason,
  type Peer,
  type RequestId,
  type Transport,
} from "@idewire/core/rpc";
import type { ServerConnection } from "@idewire/core/server";
import type { Responder } from "./responder.ts";

export interface SseSessionOptions {
  /** The response to the GET, which carries all that we send. */
  readonly responder: Responder;
  /** Whose it is. */
  readonly principal: string;
  /** Where the client is to post. */
  readonly address: string;
  readonly connect: (transport: Transport) => ServerConnection;
}

/** One client of HTTP+SSE as a transport: it lasts as long as its stream. */
export class SseSession implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly principal: string;
  readonly peer: Peer;
  readonly #responder: Responder;
  #reason: CloseReason = { code: CloseCode.Abnormal, reason: "" };

  constructor({ responder, principal, address, connect }: SseSessionOptions) {
    this.principal = principal;
    this.#responder = responder;
    responder.begin({});
    responder.write(`event: endpoint\ndata: ${address}\n\n`);
    responder.onDrain(() => this.ondrain?.());
    responder.onClose(() => setImmediate(() => this.onclose?.(this.#reason)));
    this.peer = connect(this).peer;
  }

  get bufferedAmount(): number {
    return this.#responder.bufferedAmount;
  }

  send(frame: string, _about?: RequestId): void {
    this.#responder.write(`event: message\ndata: ${frame}\n\n`);
  }

  comment(): void {
    this.#responder.write(":\n\n");
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#responder.ended) return;
    this.#reason = { code, reason };
    // A client that does not read would not take the end either.
    if (code === CloseCode.PolicyViolation) this.#responder.destroy();
    else this.#responder.end();
  }
}
