import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import type { IdeSession } from "@idewire/core";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { ListenLimits } from "../loopback-server/listen-limits.ts";
import type { MemoryBudget, MemoryHolder } from "../loopback-server/memory-budget.ts";
import { lengthPrefixFraming } from "../stdio/length-framing.ts";
import { openStream, type StreamTransport } from "../stdio/stream-transport.ts";

/** Answers a frame in place of this editor; undefined if this editor answers it. */
export type AnswerElsewhere = (frame: string) => Promise<string | undefined>;

export interface FrameClientOptions {
  readonly limits: ListenLimits;
  readonly budget: MemoryBudget;
  readonly elsewhere: AnswerElsewhere | undefined;
  open(transport: Transport): IdeSession;
}

/**
 * A client that sends frames with their length. It is closed when it does not finish a frame in the time for a
 * handshake, be it the first or one more.
 */
export class FrameClient implements MemoryHolder {
  readonly #socket: Socket;
  readonly #stream: StreamTransport;
  readonly #session: IdeSession;
  readonly #frames: OrderedFrames;
  readonly #options: FrameClientOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: FrameClientOptions) {
    this.#socket = socket;
    this.#options = options;
    const { limits, budget, elsewhere } = options;
    this.#stream = openStream(
      { input: socket, output: socket },
      { framing: lengthPrefixFraming, maxFrameBytes: limits.maxFrameBytes },
    );
    this.#frames = new OrderedFrames(this.#stream, elsewhere, () => this.#wait());
    this.#session = options.open(this.#frames);
    budget.add(this);
    socket.on("data", () => budget.update(this));
    void this.#session.closed.then(() => {
      clearTimeout(this.#timer);
      budget.delete(this);
    });
    this.#wait();
  }

  get heldBytes(): number {
    const { peer } = this.#session.connection;
    return this.#stream.heldBytes + this.#frames.heldBytes + peer.heldBytes;
  }

  evict(reason: string): void {
    this.#session.close(CloseCode.PolicyViolation, reason);
    this.#socket.destroy();
  }

  close(code: number, reason: string): void {
    this.#session.close(code, reason);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const { handshakeTimeoutMs } = this.#options.limits;
    this.#timer = setTimeout(() => {
      this.evict(`No frame was finished in ${handshakeTimeoutMs} ms`);
    }, handshakeTimeoutMs);
    this.#timer.unref();
  }
}

/** The frames of a client in their order, but for those that another editor answers. */
class OrderedFrames implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #transport: Transport;
  readonly #elsewhere: AnswerElsewhere | undefined;
  /** The frame before; undefined unless frames may be answered elsewhere, which takes time. */
  #before: Promise<void> = Promise.resolve();
  #heldBytes = 0;
  #isClosed = false;

  constructor(transport: Transport, elsewhere: AnswerElsewhere | undefined, onwhole: () => void) {
    this.#transport = transport;
    this.#elsewhere = elsewhere;
    transport.onframe = (frame) => {
      onwhole();
      this.#receive(frame);
    };
    transport.ondrain = () => this.ondrain?.();
    transport.onclose = (reason) => {
      this.#isClosed = true;
      this.onclose?.(reason);
    };
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  /** The bytes of the frames that wait for earlier ones. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  send(frame: string): void {
    this.#transport.send(frame);
  }

  close(code?: number, reason?: string): void {
    this.#transport.close(code, reason);
  }

  #receive(frame: string): void {
    if (this.#elsewhere === undefined) {
      this.onframe?.(frame);
      return;
    }
    const bytes = 2 * frame.length;
    this.#heldBytes += bytes;
    const answered = this.#before.then(() => (this.#isClosed ? undefined : this.#answer(frame)));
    // An error of the listener is thrown outside of the chain, as without one: the frames after it go on.
    const rethrow = (error: unknown) =>
      queueMicrotask(() => {
        throw error;
      });
    this.#before = answered.catch(rethrow).then(() => {
      this.#heldBytes -= bytes;
    });
  }

  async #answer(frame: string): Promise<void> {
    const answer = await this.#elsewhere?.(frame).catch(() => undefined);
    if (answer !== undefined) this.send(answer);
    else if (!this.#isClosed) this.onframe?.(frame);
  }
}
