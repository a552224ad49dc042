import { backOffMs, pause } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { EventSourceMessage } from "eventsource-parser";
import { readEvents } from "./event-stream.ts";
import { isOutage, refusedBy } from "./failures.ts";
import type { HttpChannel } from "./http-channel.ts";
import { discard, hasType, isEventStream, readText } from "./read-text.ts";

const FIRST_RETRY_MS = 1_000;
/** The shortest delay, even if the server asks for less; a request's first resumption follows the server's delay. */
const SHORTEST_RETRY_MS = 200;
/** How often the stream of a request is resumed without an event. */
const MAX_RESUMPTIONS = 5;
/** How long a stream may stay open after the answer that it was opened for. */
const TRAILING_MS = 1_000;
/** How much of a body is read to show its beginning, with secrets redacted. */
const LONGEST_SHOWN = 65_536;

export interface FollowOptions {
  readonly channel: HttpChannel;
  /** Aborting it ends everything. */
  readonly controller: AbortController;
  readonly onframe: (frame: string) => void;
  /** The request that the stream is for, and where it went: for messages to a person. */
  readonly what: string;
  /** For the stream of a request: whether the request has its answer. */
  readonly isAnswered?: () => boolean;
  /** Whether the revision of that request has no resumption. */
  readonly endsAtOnce?: boolean;
}

/**
 * Reads the response to a request.
 * @throws IdewireError `protocol` when it holds no answer; what a {@link FollowedStream} throws
 */
export async function readAnswer(response: Response, options: FollowOptions): Promise<void> {
  const { channel, controller, what, onframe, isAnswered } = options;
  let text = "";
  if (isEventStream(response)) await new FollowedStream(options).follow(response);
  else if (hasType(response, "application/json")) {
    const limit = { what, maxBytes: channel.maxFrameBytes };
    text = await readText(response, controller.signal, limit);
    onframe(channel.redactErrors(text));
  } else discard(response);
  if (isAnswered?.()) return;
  const type = response.headers.get("content-type") ?? "";
  const seen = channel.redact(`${type} without the answer: ${text.slice(0, LONGEST_SHOWN)}`);
  throw refusedBy(what, response.status, seen.replace(/: $/, ""));
}

/** Reads the events of one stream over any number of responses (MCP 2025-11-25, Transports). */
export class FollowedStream {
  readonly #options: FollowOptions;
  #lastEventId: string | undefined;
  #retryMs = FIRST_RETRY_MS;
  /** How many responses in a row held no event. */
  #silent = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /**
   * Reads until the request that the stream is for has its answer, or the controller aborts.
   * @param response the first one; without it the stream is requested
   * @returns the status that ended an existing stream, or refused it: 404 once its session has ended. A stream
   * that belongs to no request ends with any response other than an event stream, unless the server is temporarily
   * failing
   * @throws IdewireError `lost` when the stream of a request breaks and cannot be resumed, `protocol` for an event
   * that is too large
   */
  async follow(response?: Response): Promise<number | undefined> {
    const { channel, controller, isAnswered } = this.#options;
    const { signal } = controller;
    let next = response ?? (await this.#get());
    for (let isFirst = true; ; isFirst = false) {
      this.#silent += 1;
      if (next && isEventStream(next)) await this.#read(next);
      else if (next && (isFirst || !this.#passes(next))) {
        if (isAnswered) await this.#refuse(next);
        discard(next);
        return isFirst ? undefined : next.status;
      } else discard(next);
      if (isAnswered?.() || signal.aborted) return undefined;
      if (isAnswered) this.#requireResumable();
      const leastMs = isFirst && isAnswered ? 0 : SHORTEST_RETRY_MS;
      await pause(channel.clock, this.#waitMs(leastMs), signal);
      if (signal.aborted) return undefined;
      next = await this.#get();
    }
  }

  /** @returns undefined when the server could not be reached */
  async #get(): Promise<Response | undefined> {
    const { channel, controller, isAnswered } = this.#options;
    const { signal } = controller;
    const sent = channel.send({ method: "GET", lastEventId: this.#lastEventId, signal });
    return sent.catch((error) => {
      // The server has begun to answer the request, whether or not this response succeeds.
      if (error instanceof IdewireError) throw isAnswered ? this.#lost(error.message) : error;
      return undefined;
    });
  }

  async #read(response: Response): Promise<void> {
    const { channel, controller, what, onframe, isAnswered } = this.#options;
    let trailing: unknown;
    const onevent = ({ id, event, data }: EventSourceMessage) => {
      this.#silent = 0;
      // Other characters would not arrive unchanged in a header; an empty id resets the last one.
      if (id !== undefined) this.#lastEventId = /^[ -~]+$/.test(id) ? id : undefined;
      // An event without data only sets the stream's id; an empty type counts as absent.
      if (data && (event || "message") === "message") {
        onframe(channel.redactErrors(data));
      }
      if (isAnswered?.()) {
        trailing ??= channel.clock.setTimeout(() => controller.abort(), TRAILING_MS);
      }
    };
    const onretry = (ms: number) => {
      this.#retryMs = ms;
    };
    try {
      const { maxFrameBytes: maxBytes } = channel;
      const { signal } = controller;
      await readEvents(response, { what, maxBytes, signal, onevent, onretry });
    } catch (error) {
      // Any other failure ends this response alone: the stream may be resumed.
      if (error instanceof IdewireError) throw error;
    } finally {
      channel.clock.clearTimeout(trailing);
    }
  }

  #requireResumable(): void {
    if (this.#options.endsAtOnce) throw this.#lost("this revision has no resumption");
    if (this.#lastEventId === undefined) throw this.#lost("its events have no ids");
    if (this.#silent > MAX_RESUMPTIONS) throw this.#lost("it ends without an event");
  }

  /** The delay before a retry, if a response means that the server has failed temporarily. */
  #passes({ status, headers }: Response): boolean {
    const isLast = this.#options.isAnswered && this.#silent > MAX_RESUMPTIONS;
    this.#retryMs = 1_000 * Number(headers.get("retry-after")) || this.#retryMs;
    return !isLast && isOutage(status);
  }

  /** The delay set by the server, increased after each resumption without an event. */
  #waitMs(leastMs: number): number {
    return backOffMs(this.#silent - 1, Math.max(this.#retryMs, leastMs));
  }

  /** @throws IdewireError for a response other than an event stream */
  async #refuse(response: Response): Promise<void> {
    const { channel, controller } = this.#options;
    const body = await channel.readRefusal(response, controller);
    throw this.#lost(refusedBy("resuming", response.status, body).message);
  }

  #lost(why: string): IdewireError {
    const message = `${this.#options.what}: the stream broke, and cannot be resumed: ${why}`;
    return new IdewireError("lost", message);
  }
}
