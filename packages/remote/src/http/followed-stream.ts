import { IdewireError } from "@idewire/core";
import { readEvents } from "./event-stream.ts";
import { isOutage, refusedBy } from "./failures.ts";
import type { HttpChannel } from "./http-channel.ts";
import { pause } from "./pause.ts";
import { discard, isEventStream, mediaType, readText } from "./read-text.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** At least, whatever the server says; but a request is resumed for the first time as soon as it says. */
const SHORTEST_RETRY_MS = 200;
/** How often the stream of a request is resumed without hearing an event. */
const MAX_RESUMPTIONS = 5;
/** How long a stream may stay open after the answer that it was opened for. */
const TRAILING_MS = 1_000;

export interface FollowOptions {
  readonly channel: HttpChannel;
  /** Aborting it ends everything. */
  readonly controller: AbortController;
  readonly onframe: (frame: string) => void;
  /** The request that the stream is for, and where it went: for messages to a person. */
  readonly what: string;
  /** Of a stream that is for a request: whether that has its answer. */
  readonly isAnswered?: () => boolean;
  /** Whether its revision has resumption. */
  readonly resumes: boolean;
}

/**
 * Reads what a response says to a request.
 * @throws IdewireError `protocol` when that is no answer, which has no effect on a request that has one; what a
 * {@link FollowedStream} throws
 */
export async function readAnswer(response: Response, options: FollowOptions): Promise<void> {
  const { channel, what, onframe } = options;
  if (isEventStream(response)) await new FollowedStream(options).follow(response);
  else if (mediaType(response) === "application/json") {
    const text = await readText(response, channel.maxFrameBytes, what);
    onframe(channel.withoutSecretsInError(text, response));
  } else discard(response);
  const seen = channel.describe(response);
  throw new IdewireError("protocol", `${what}: ${seen} without the answer`);
}

/** Reads the events of one stream, however many responses it takes (MCP 2025-11-25, Transports). */
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
   * @param response the first one; without it the stream is asked for
   * @returns whether the server has had such a stream, or could not be reached, and answers 404 now: its
   * session has ended. Any other response ends a stream that is for no request
   * @throws IdewireError `lost` when the stream of a request breaks and cannot be resumed, `protocol` for an
   * event that is too large
   */
  async follow(response?: Response): Promise<boolean> {
    const { controller, isAnswered } = this.#options;
    let next = response ?? (await this.#get());
    for (let isFirst = true; ; isFirst = false) {
      this.#silent += 1;
      if (next === undefined || (!isFirst && this.#passes(next))) discard(next);
      else if (isEventStream(next)) await this.#read(next);
      else {
        if (isAnswered !== undefined) throw await this.#refused(next);
        discard(next);
        return next.status === 404 && !isFirst;
      }
      if (isAnswered?.() === true || controller.signal.aborted) return false;
      if (isAnswered !== undefined) this.#requireResumable();
      await this.#pause(isFirst && isAnswered !== undefined ? 0 : SHORTEST_RETRY_MS);
      if (controller.signal.aborted) return false;
      next = await this.#get();
    }
  }

  /** @returns undefined when the server could not be reached */
  async #get(): Promise<Response | undefined> {
    const { channel, controller } = this.#options;
    const { signal } = controller;
    const sent = channel.send({ method: "GET", lastEventId: this.#lastEventId, signal });
    return sent.catch((error) => {
      if (error instanceof IdewireError) throw error;
      return undefined;
    });
  }

  async #read(response: Response): Promise<void> {
    const { channel, controller, what, onframe, isAnswered } = this.#options;
    const { clock } = channel;
    let trailing: unknown;
    try {
      await readEvents(response, {
        what,
        maxEventUnits: channel.maxFrameBytes,
        onid: (id) => {
          // Other characters would not arrive in a header as they are; an empty id takes the last one back.
          this.#lastEventId = /^[ -~]+$/.test(id) ? id : undefined;
        },
        onretry: (ms) => {
          this.#retryMs = Math.min(ms, LONGEST_RETRY_MS);
        },
        onevent: (data, type) => {
          this.#silent = 0;
          // An event without data only gives the stream an id.
          if (type === "message" && data !== "") {
            onframe(channel.withoutSecretsInError(data, response));
          }
          if (trailing === undefined && isAnswered?.() === true) {
            trailing = clock.setTimeout(() => controller.abort(), TRAILING_MS);
          }
        },
      });
    } catch (error) {
      // Any other failure is the end of this response, after which the stream may be resumed.
      if (error instanceof IdewireError) throw error;
    } finally {
      clock.clearTimeout(trailing);
    }
  }

  #requireResumable(): void {
    if (!this.#options.resumes) throw this.#lost("this revision has no resumption");
    if (this.#lastEventId === undefined) throw this.#lost("its events have no ids");
    if (this.#silent > MAX_RESUMPTIONS) throw this.#lost("it ends without an event");
  }

  /** Whether a response says that the server is out of order, which is worth another try: and when. */
  #passes({ status, headers }: Response): boolean {
    const isLast = this.#options.isAnswered !== undefined && this.#silent > MAX_RESUMPTIONS;
    if (isLast || !isOutage(status)) return false;
    this.#retryMs = 1_000 * Number(headers.get("retry-after")) || this.#retryMs;
    return true;
  }

  /** Waits as long as the server says, and longer each time that it has had nothing to say. */
  #pause(leastMs: number): Promise<void> {
    const { channel, controller } = this.#options;
    const factor = 2 ** Math.max(0, this.#silent - 1);
    const wait = Math.min(Math.max(this.#retryMs, leastMs) * factor, LONGEST_RETRY_MS);
    return pause(channel.clock, wait, controller.signal);
  }

  async #refused(response: Response): Promise<Error> {
    const { channel, controller } = this.#options;
    const body = await channel.readRefusal(response, controller);
    return this.#lost(refusedBy("resuming", response.status, body).message);
  }

  #lost(why: string): IdewireError {
    const message = `${this.#options.what}: the stream broke, and cannot be resumed: ${why}`;
    return new IdewireError("lost", message);
  }
}
