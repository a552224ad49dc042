import {
  type Clock,
  CloseCode,
  type CloseReason,
  findHeaderParameterFault,
  type HeaderTransport,
  type RequestId,
  type RequestTracker,
  systemClock,
  type Transport,
} from "@idewire/core";
import { failureOf } from "./failures.ts";
import { HttpChannel, type HttpOptions } from "./http-channel.ts";
import { LegacySession } from "./legacy-session.ts";
import { exchange } from "./modern-exchange.ts";
import type { FindSchema } from "./modern-headers.ts";
import { type OutgoingMessage, readEnvelope } from "./outgoing-message.ts";
import type { HttpWithSse } from "./sse-stream.ts";

export interface HttpTransportOptions extends HttpOptions {
  /** Whether to open a stream for what the server says unasked; true by default. */
  readonly listen?: boolean;
  /** What speaks to servers of 2024-11-05: `httpWithSse`; by default their refusal is the answer. */
  readonly sse?: HttpWithSse;
  /** Called when a message that is no request could not be delivered. */
  readonly onerror?: (error: Error) => void;
  readonly clock?: Clock;
}

/** How long the requests on their way may still take to learn that their session has ended. */
const END_MS = 2_000;

/**
 * Speaks Streamable HTTP to a server (MCP 2025-03-26 to 2026-07-28, Transports), or with the option `sse`
 * HTTP with SSE (2024-11-05) to one that answers `initialize` with 400, 404 or 405. A request of the modern era is one
 * whose `_meta` names its revision: it has no session, and closing its stream takes it back.
 *
 * A request whose answer breaks off is resumed where the server numbers its events. What cannot be
 * delivered fails alone: with `unreachable` when the server cannot have begun it, else with `lost`; with
 * `unauthorized` or `protocol`, or the server's own JSON-RPC error. The transport closes with 1001 when the
 * server has ended the session; `close` ends it at the server, too.
 * @throws IdewireError `invalid-argument` for an address that is not http or https
 */
export function createHttpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): Transport {
  return new HttpTransport(new HttpChannel(url, options), options);
}

class HttpTransport implements HeaderTransport {
  inputSchemaOf: FindSchema | undefined = undefined;
  requests: RequestTracker | undefined;
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  bufferedAmount = 0;
  readonly #channel: HttpChannel;
  readonly #options: HttpTransportOptions;
  readonly #clock: Clock;
  /** Of the requests of the modern era, by their ids. */
  readonly #exchanges = new Map<RequestId, AbortController>();
  /** The frames whose responses have not begun. */
  readonly #departing = new Set<Promise<void>>();
  readonly #session: LegacySession;
  #reason: CloseReason | undefined;

  constructor(channel: HttpChannel, options: HttpTransportOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#session = new LegacySession({
      channel,
      clock: this.#clock,
      listens: options.listen !== false,
      sse: options.sse,
      owner: {
        requests: () => this.requests,
        isClosing: () => this.#reason !== undefined,
        receive: (frame) => this.onframe?.(frame),
        end: (reason) => this.#end(reason),
        fail: (message, error) => this.#fail(message, error),
        report: (error) => options.onerror?.(error),
      },
    });
  }

  send(frame: string): void {
    if (this.#reason !== undefined) return;
    const message = readEnvelope(frame);
    if (this.#takeBack(message)) return;
    this.bufferedAmount += frame.length;
    if (message.revision !== undefined) {
      void this.#exchange(message);
      return;
    }
    const departed: Promise<void> = this.#session
      .send(message)
      .catch((error) => this.#fail(message, error))
      .then(() => this.#departed(frame, departed));
    this.#departing.add(departed);
  }

  carries(inputSchema: unknown): boolean {
    return findHeaderParameterFault(inputSchema) === undefined;
  }

  /** Not once the session has ended. */
  reaches(): boolean {
    return this.#reason === undefined;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#reason !== undefined) return;
    this.#reason = { code, reason };
    void this.#settled()
      .then(() => this.#session.end())
      .then(() => this.onclose?.({ code, reason }));
  }

  /** @returns whether there was a request of the modern era to take back */
  #takeBack({ cancels }: OutgoingMessage): boolean {
    const controller = cancels === undefined ? undefined : this.#exchanges.get(cancels);
    controller?.abort();
    return controller !== undefined;
  }

  async #exchange(message: OutgoingMessage): Promise<void> {
    const { id = "", frame } = message;
    const controller = new AbortController();
    this.#exchanges.set(id, controller);
    let isDeparting = true;
    const ondeparted = () => {
      if (isDeparting) this.#departed(frame);
      isDeparting = false;
    };
    try {
      await exchange(message, {
        ...{ channel: this.#channel, clock: this.#clock, controller },
        inputSchemaOf: this.inputSchemaOf,
        onframe: (each) => this.onframe?.(each),
        ondeparted,
        isAnswered: () => this.requests?.awaits(id) !== true,
      });
    } catch (error) {
      this.#fail(message, error);
    } finally {
      ondeparted();
      this.#exchanges.delete(id);
    }
  }

  #departed(frame: string, departed?: Promise<void>): void {
    this.bufferedAmount -= frame.length;
    if (departed !== undefined) this.#departing.delete(departed);
    if (this.#departing.size === 0 && this.#reason === undefined) this.ondrain?.();
  }

  /** Resolves when the responses to all that was sent have begun, and all else has been aborted. */
  async #settled(): Promise<void> {
    const timer = this.#clock.setTimeout(() => this.#abort(), END_MS);
    await Promise.all(this.#departing);
    this.#clock.clearTimeout(timer);
    this.#abort();
  }

  #abort(): void {
    this.#session.abort();
    for (const controller of this.#exchanges.values()) controller.abort();
  }

  /** Closes once the other requests on their way have been answered, or have met the same end. */
  #end(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    void this.#settled().then(() => this.onclose?.(reason));
  }

  #fail({ id, method }: OutgoingMessage, error: unknown): void {
    const failure = failureOf(method, error);
    if (id !== undefined) this.requests?.fail(id, failure);
    else if (this.#reason === undefined) this.#options.onerror?.(failure);
  }
}
