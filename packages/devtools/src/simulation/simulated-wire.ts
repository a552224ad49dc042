import { systemClock } from "@idewire/core/internal";
import { type Clock, CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { FrameInterceptor, FrameOutcome } from "../trace/faults/fault-injector.ts";
import { type Direction, opposite } from "../trace/format/trace-event.ts";
import type { EventLog } from "../trace/recording/event-log.ts";

/** How a simulated connection behaves. */
export interface SimulatedWireOptions {
  /** Names the connection in the log. */
  readonly ch: string;
  readonly log: EventLog;
  readonly clock?: Clock;
  /** The latency of each frame; 0 when left out. */
  readonly latencyMs?: number;
  /** Injects faults from the start; none when left out. */
  readonly assess?: FrameInterceptor;
  /** The subprotocol in the log. */
  readonly protocol?: string;
}

/** A connection inside one process, with a log and with injected faults. */
export interface SimulatedWire {
  readonly agent: Transport;
  readonly ide: Transport;
  /** Replaces the interceptor; frames on their way are not affected. */
  setInterceptor(assess: FrameInterceptor | undefined): void;
  /** Records the event `n` as the cause of frames sent in this direction from now on. */
  attribute(dir: Direction, n: number): void;
  /** The number of the event that causes the current actions of the sender of this direction. */
  causeOf(dir: Direction): number | undefined;
  /** Sends a frame that neither end wrote, such as an edited one. */
  inject(dir: Direction, raw: string, by?: number): void;
}

/** Connects an agent and an editor in memory; the log gets every frame, lost ones too. */
export function createSimulatedWire(options: SimulatedWireOptions): SimulatedWire {
  return new Wire(options);
}

interface Arrival {
  readonly raw: string;
  /** The number of its event. */
  readonly n: number;
}

interface HeldFrame {
  readonly frames: readonly Arrival[];
  /** How many more frames will overtake it. */
  behind: number;
}

/** One direction. */
interface Lane {
  /** When the newest frame on its way arrives: later ones do not arrive before it. */
  dueMs: number;
  held: HeldFrame[];
  /** UTF-16 units on their way. */
  units: number;
  /** The cause of frames sent now: the newest frame of the other direction, or an action. */
  cause: number | undefined;
}

class Wire implements SimulatedWire {
  readonly agent: WireEnd;
  readonly ide: WireEnd;
  readonly #options: SimulatedWireOptions;
  readonly #clock: Clock;
  readonly #lanes: Readonly<Record<Direction, Lane>> = {
    "agent>ide": { dueMs: 0, held: [], units: 0, cause: undefined },
    "ide>agent": { dueMs: 0, held: [], units: 0, cause: undefined },
  };
  #assess: FrameInterceptor | undefined;
  #closed = false;

  constructor(options: SimulatedWireOptions) {
    const { ch, log, protocol, clock = systemClock, assess } = options;
    this.#options = options;
    this.#clock = clock;
    this.#assess = assess;
    this.agent = this.#createEnd("agent>ide");
    this.ide = this.#createEnd("ide>agent");
    log.append({ ev: "open", ch, ...(protocol !== undefined && { protocol }) });
  }

  setInterceptor(assess: FrameInterceptor | undefined): void {
    this.#assess = assess;
  }

  attribute(dir: Direction, n: number): void {
    this.#lanes[dir].cause = n;
  }

  causeOf(dir: Direction): number | undefined {
    return this.#lanes[dir].cause;
  }

  inject(dir: Direction, raw: string, by?: number): void {
    if (this.#closed) return;
    const { ch, log } = this.#options;
    const sent = { ev: "frame", ch, dir } as const;
    const passed: FrameOutcome = { frames: [raw] };
    const outcome = this.#assess?.assess({ ch, dir, raw, t: log.nowMs }) ?? passed;
    const fault = outcome.fault === undefined ? {} : { fault: outcome.fault };
    if (outcome.frames.length === 0) log.append({ ...sent, raw, ...fault, lost: true }, by);
    const frames = outcome.frames.map((copy): Arrival => {
      const { n } = log.append({ ...sent, raw: copy, ...fault }, by);
      return { raw: copy, n };
    });
    if (outcome.closeCode !== undefined) {
      this.#close({ code: outcome.closeCode, reason: "fault" });
    } else {
      this.#travel(dir, frames, outcome);
    }
  }

  #createEnd(dir: Direction): WireEnd {
    return new WireEnd({
      send: (raw) => this.inject(dir, raw, this.#lanes[dir].cause),
      close: (reason) => this.#close(reason),
      unitsInFlight: () => this.#lanes[dir].units,
    });
  }

  #travel(dir: Direction, frames: readonly Arrival[], outcome: FrameOutcome): void {
    const lane = this.#lanes[dir];
    const { behind = 0, afterMs = 0, silenceMs = 0 } = outcome;
    for (const { raw } of frames) lane.units += raw.length;
    const overtaken = lane.held.filter((held) => {
      held.behind -= 1;
      return held.behind <= 0;
    });
    lane.held = lane.held.filter(({ behind }) => behind > 0);
    if (behind > 0) lane.held.push({ frames, behind });
    else this.#deliver(dir, frames, afterMs);
    for (const held of overtaken) this.#deliver(dir, held.frames, 0);
    if (silenceMs > 0) {
      lane.dueMs = Math.max(lane.dueMs, this.#options.log.nowMs) + silenceMs;
    }
  }

  #deliver(dir: Direction, frames: readonly Arrival[], afterMs: number): void {
    if (frames.length === 0) return;
    const lane = this.#lanes[dir];
    const nowMs = this.#options.log.nowMs;
    lane.dueMs = Math.max(lane.dueMs, nowMs + (this.#options.latencyMs ?? 0) + afterMs);
    this.#clock.setTimeout(() => this.#arrive(dir, frames), lane.dueMs - nowMs);
  }

  #arrive(dir: Direction, frames: readonly Arrival[]): void {
    const [from, to] = dir === "agent>ide" ? [this.agent, this.ide] : [this.ide, this.agent];
    const lane = this.#lanes[dir];
    for (const { raw, n } of frames) {
      lane.units -= raw.length;
      this.#lanes[opposite(dir)].cause = n;
      if (!this.#closed) to.onframe?.(raw);
    }
    if (lane.units === 0 && !this.#closed) from.ondrain?.();
  }

  #close(reason: CloseReason): void {
    if (this.#closed) return;
    const { ch, log } = this.#options;
    // Frames sent before are delivered first.
    const dueMs = Math.max(...Object.values(this.#lanes).map((lane) => lane.dueMs));
    const finish = (): void => {
      if (this.#closed) return;
      this.#closed = true;
      log.append({ ev: "close", ch, ...reason });
      this.agent.onclose?.(reason);
      this.ide.onclose?.(reason);
    };
    this.#clock.setTimeout(finish, Math.max(0, dueMs - log.nowMs));
  }
}

/** The connection as seen by an end. */
interface WireEndPorts {
  readonly send: (raw: string) => void;
  readonly close: (reason: CloseReason) => void;
  readonly unitsInFlight: () => number;
}

class WireEnd implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #wire: WireEndPorts;
  #closing = false;

  constructor(wire: WireEndPorts) {
    this.#wire = wire;
  }

  get bufferedAmount(): number {
    return this.#wire.unitsInFlight();
  }

  send(frame: string): void {
    if (!this.#closing) this.#wire.send(frame);
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#wire.close({ code, reason });
  }
}
