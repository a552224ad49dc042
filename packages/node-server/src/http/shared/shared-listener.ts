import type { SessionState } from "@idewire/core/internal";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { ServerConnection } from "@idewire/core/server";
import type { FollowedResponse } from "./followed-response.ts";
import { isAwaited, type LocalEnd } from "./local-end.ts";
import type { SharedInstance } from "./shared-instance.ts";
import { GENERAL, type KnownSession } from "./shared-sessions.ts";

export interface SharedListenerOptions<Context> {
  readonly instance: SharedInstance<Context>;
  readonly context: Context;
  readonly principal: string;
  readonly known: KnownSession;
}

/**
 * The client of a session that listens, as a transport: what the server tells its clients goes to this one
 * by the instance where it listens, or has listened last.
 */
export class SharedListener<Context> implements Transport, LocalEnd {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #options: SharedListenerOptions<Context>;
  readonly #connection: ServerConnection<Context>;
  /** The response to its GET; undefined while the client is away. */
  #response: FollowedResponse | undefined;
  #isClosed = false;

  constructor(options: SharedListenerOptions<Context>) {
    const { instance, context, principal, known } = options;
    this.#options = options;
    this.#connection = instance.connect(this, { context, principal, session: known.state });
  }

  get bufferedAmount(): number {
    return this.#response?.bufferedAmount ?? 0;
  }

  get isAway(): boolean {
    return this.#response === undefined;
  }

  /** Says which response carries the stream now. */
  carriedBy(response: FollowedResponse): void {
    this.#response = response;
  }

  /** Says that a response has ended. */
  left(response: FollowedResponse): void {
    if (this.#response === response) this.#response = undefined;
  }

  send(frame: string): void {
    if (!this.#isClosed) this.#options.instance.sendGeneral(this.#options.known.id, frame);
  }

  deliver(message: unknown): boolean {
    if (!isAwaited(this.#connection, message)) return false;
    this.#connection.peer.receive(message, 0);
    return true;
  }

  restore(state: SessionState): void {
    this.#connection.restore(state);
  }

  moved(stream: string, to: string): void {
    if (stream === GENERAL && to !== this.#response?.token) this.#connection.peer.close();
  }

  /** The response does so for the client; here it is for the store. */
  comment(): void {
    const { instance, known } = this.#options;
    instance.openGeneral(known.id).catch((error: unknown) => instance.sessions.report(error));
  }

  endSession(): void {
    this.#connection.peer.close();
  }

  leave(): void {
    this.#connection.peer.close();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.instance.drop(this.#options.known.id, this);
    // A client that does not read cannot be told more.
    if (code === CloseCode.PolicyViolation) this.#response?.cut();
    setImmediate(() => this.onclose?.({ code, reason }));
  }
}
