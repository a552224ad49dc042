import { systemClock } from "@idewire/core/internal";
import type { Clock } from "@idewire/core/rpc";
import type {
  FrameInterceptor,
  FrameOutcome,
  TravellingFrame,
} from "../trace/faults/fault-injector.ts";
import type { Filter } from "../trace/filter/filter.ts";
import type { Direction } from "../trace/format/trace-event.ts";
import { FrameIndex } from "../trace/rows/frame-index.ts";

/** A frame held by a breakpoint, or queued behind one. */
const HELD = "held";
const BEHIND = "held behind";

/** A frame that was sent and has not arrived. */
export interface HeldFrame extends TravellingFrame {
  readonly id: number;
  /** Whether the breakpoint matched it, rather than a frame before it: frames stay in order. */
  readonly isStopped: boolean;
}

/** The operations of a breakpoint on a connection. */
export interface BreakpointOptions {
  /** Which frames are held. */
  readonly filter: Filter;
  /** Sends a frame on: as it was, or edited. */
  readonly send: (dir: Direction, raw: string) => void;
  /** Called when frames are held, sent on or dropped. */
  readonly onchange?: () => void;
  /** How long a frame is held before it is sent on as it was, in milliseconds; 300,000 when left out. */
  readonly maxHeldMs?: number;
  readonly clock?: Clock;
}

const MAX_HELD_MS = 300_000;

/** How many frames back the request of an answer is searched for. */
const REMEMBERED = 4096;

/**
 * Holds the frames that pass a filter until they are released or dropped, or for as long as is allowed, and
 * those of the same direction behind them. The log records a held frame as lost, and once more when it is
 * released. Removing the breakpoint releases all of them: a frame is lost only when it is dropped, or when its
 * connection ends.
 */
export class Breakpoint {
  readonly #options: BreakpointOptions;
  readonly #index = new FrameIndex();
  readonly #timers = new Map<HeldFrame, unknown>();
  #held: readonly HeldFrame[] = [];
  #count = 0;
  #isRemoved = false;
  /** Frames that are sent on are not held again. */
  #isReleasing = false;

  constructor(options: BreakpointOptions) {
    this.#options = options;
  }

  /** In the order in which they were sent. */
  get held(): readonly HeldFrame[] {
    return this.#held;
  }

  /** For a simulation, before the faults that are injected, if there are any. */
  intercept(faults?: FrameInterceptor): FrameInterceptor {
    return {
      assess: (frame) => {
        const held = this.#isReleasing || this.#isRemoved ? undefined : this.#hold(frame);
        return held ?? faults?.assess(frame) ?? { frames: [frame.raw] };
      },
    };
  }

  /**
   * Sends a held frame on, and those that only waited behind it.
   * @param raw the frame as edited
   */
  release(id: number, raw?: string): void {
    this.#letGo(id, (frame) => this.#send(frame, raw));
  }

  /** Drops a held frame, which never arrives, and sends on those that only waited behind it. */
  drop(id: number): void {
    this.#letGo(id, () => undefined);
  }

  /** Sends all held frames on in their order, and stops holding frames. */
  remove(): void {
    this.#isRemoved = true;
    for (const frame of this.#held) this.#pass(frame);
    this.#options.onchange?.();
  }

  /** Forgets the frames of a connection that has ended. */
  forget(ch: string): void {
    for (const frame of this.#held) if (frame.ch === ch) this.#forget(frame);
    this.#options.onchange?.();
  }

  #letGo(id: number, act: (frame: HeldFrame) => void): void {
    const frame = this.#held.find((one) => one.id === id);
    if (frame === undefined) return;
    const { dir, ch } = frame;
    this.#forget(frame);
    act(frame);
    for (const next of this.#held.filter((one) => one.dir === dir && one.ch === ch)) {
      if (next.isStopped) break;
      this.#pass(next);
    }
    this.#options.onchange?.();
  }

  #hold(frame: TravellingFrame): FrameOutcome | undefined {
    this.#count += 1;
    const n = this.#count;
    this.#index.add({ n, ev: "frame", ...frame });
    if (n % REMEMBERED === 0) this.#index.drop(n - REMEMBERED);
    const facts = this.#index.of(n);
    const isStopped =
      facts !== undefined && this.#options.filter.matches({ facts, raw: () => frame.raw });
    const isQueued = this.#held.some(({ ch, dir }) => ch === frame.ch && dir === frame.dir);
    if (!isStopped && !isQueued) return undefined;
    const held = { ...frame, id: n, isStopped };
    this.#held = [...this.#held, held];
    const { clock = systemClock, maxHeldMs = MAX_HELD_MS } = this.#options;
    if (isStopped)
      this.#timers.set(
        held,
        clock.setTimeout(() => this.release(n), maxHeldMs),
      );
    this.#options.onchange?.();
    return { frames: [], fault: isStopped ? HELD : BEHIND };
  }

  #pass(frame: HeldFrame): void {
    this.#forget(frame);
    this.#send(frame);
  }

  #forget(frame: HeldFrame): void {
    const { clock = systemClock } = this.#options;
    clock.clearTimeout(this.#timers.get(frame));
    this.#timers.delete(frame);
    this.#held = this.#held.filter((one) => one !== frame);
  }

  #send({ dir, raw: sent }: HeldFrame, raw: string = sent): void {
    this.#isReleasing = true;
    try {
      this.#options.send(dir, raw);
    } finally {
      this.#isReleasing = false;
    }
  }
}
