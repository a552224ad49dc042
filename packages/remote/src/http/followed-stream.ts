import { type Clock, IdewireError } from "@idewire/core";
import { readEvents } from "./event-stream.ts";
import { refusedBy, undelivered } from "./failures.ts";
import type { HttpChannel } from "./http-channel.ts";
import { pause } from "./pause.ts";
import { isEventStream } from "./read-text.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** How often a stream is resumed without hearing an event. */
const MAX_RESUMPTIONS = 5;
/** How long a stream may stay open after the answer that it was opened for. */
const TRAILING_MS = 1_000;

export interface FollowOptions {
  readonly channel: HttpChannel;
  readonly clock: Clock;
  /** Aborting it ends everything. */
  readonly controller: AbortController;
  readonly onframe: (frame: string) => void;
  /** The request that the stream is for, and where it went: for messages to a person. */
  readonly what: string;
}

/** Reads the events of one stream, however many responses it takes (MCP 2025-11-25, Transports). */
export class FollowedStream {
  readonly #options: FollowOptions;
  #lastEventId: string | undefined;
  #retryMs = FIRST_RETRY_MS;
  /**
   * Whether a 404 tells that the session has ended: the server had such a stream, or could not be reached
   * in the meantime.
   */
  mayHaveEnded = false;
  /** How many responses in a row held no event. */
  #silent = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /**
   * Reads until the request that the stream is for has its answer.
   * @param isAnswered asked after each event
   * @throws IdewireError `lost` when the stream breaks and cannot be resumed, `protocol` for an event that
   * is too large
   */
  async untilAnswered(first: Response, isAnswered: () => boolean): Promise<void> {
    await this.#read(first, isAnswered);
    while (!isAnswered() && !this.#isOver) {
      if (this.#lastEventId === undefined) throw this.#lost("its events have no ids");
      if (this.#silent > MAX_RESUMPTIONS) throw this.#lost("it ends without an event");
      await this.#pause();
      const response = await this.#get();
      if (response instanceof Error) continue;
      if (!isEventStream(response)) throw await this.#refused(response);
      await this.#read(response, isAnswered);
    }
  }

  /**
   * Reads one response, of a revision whose streams cannot be resumed.
   * @throws IdewireError `lost` when it ends before the answer
   */
  async onlyUntilAnswered(response: Response, isAnswered: () => boolean): Promise<void> {
    await this.#read(response, isAnswered);
    if (!isAnswered() && !this.#isOver) throw this.#lost("this revision has no resumption");
  }

  /**
   * Listens to what the server says unasked, until the transport closes.
   * @returns the first response that is no stream: 405 from a server that has none
   */
  async untilRefused(): Promise<Response | undefined> {
    while (!this.#isOver) {
      const response = await this.#get();
      if (!(response instanceof Error)) {
        if (!isEventStream(response)) return response;
        await this.#read(response, () => false);
      }
      if (!this.#isOver) await this.#pause();
    }
    return undefined;
  }

  get #isOver(): boolean {
    return this.#options.controller.signal.aborted;
  }

  async #get(): Promise<Response | Error> {
    const { channel, controller, what } = this.#options;
    try {
      const { signal } = controller;
      return await channel.send({ method: "GET", lastEventId: this.#lastEventId, signal });
    } catch (error) {
      if (error instanceof IdewireError) throw error;
      this.#silent += 1;
      this.mayHaveEnded = true;
      return undelivered(what, error);
    }
  }

  async #read(response: Response, isAnswered: () => boolean): Promise<void> {
    const { channel, clock, controller, what, onframe } = this.#options;
    let trailing: unknown;
    this.mayHaveEnded = true;
    this.#silent += 1;
    try {
      await readEvents(response.body ?? new ReadableStream(), {
        maxEventUnits: channel.maxFrameBytes,
        onid: (id) => {
          this.#lastEventId = id;
        },
        onretry: (ms) => {
          this.#retryMs = Math.min(ms, LONGEST_RETRY_MS);
        },
        onevent: (data, type) => {
          this.#silent = 0;
          // An event without data only gives the stream an id.
          if (type === "message" && data !== "") onframe(data);
          if (trailing === undefined && isAnswered()) {
            trailing = clock.setTimeout(() => controller.abort(), TRAILING_MS);
          }
        },
      });
    } catch (error) {
      // Any other failure is the end of this response, after which the stream may be resumed.
      if (error instanceof IdewireError) {
        throw new IdewireError(error.code, `${what}: ${error.message}`);
      }
    } finally {
      clock.clearTimeout(trailing);
    }
  }

  /** Waits as long as the server says, and longer each time that it has had nothing to say. */
  #pause(): Promise<void> {
    const { clock, controller } = this.#options;
    const factor = 2 ** Math.max(0, this.#silent - 1);
    const wait = Math.min(this.#retryMs * factor, LONGEST_RETRY_MS);
    return pause(clock, wait, controller.signal);
  }

  async #refused(response: Response): Promise<Error> {
    const body = await this.#options.channel.readRefusal(response).catch(() => "");
    const cause = refusedBy("resuming", response.status, body);
    return this.#lost(cause.message, cause);
  }

  #lost(why: string, cause?: Error): IdewireError {
    const message = `${this.#options.what}: the stream broke, and cannot be resumed: ${why}`;
    return new IdewireError("lost", message, { cause });
  }
}
