import type { Filter } from "../filter/filter.ts";
import { parseFilter } from "../filter/filter.ts";
import type { Direction } from "../format/trace-event.ts";
import { FrameIndex } from "../rows/frame-index.ts";
import { describeFault } from "./describe-fault.ts";
import type { Fault, FaultPlan, FaultRule } from "./fault.ts";
import { garble } from "./garble.ts";

/** What happens to a frame. */
export interface FrameOutcome {
  /** The fault in words; undefined when the frame passes unchanged. */
  readonly fault?: string;
  /** The frames that arrive: none, one, or copies. */
  readonly frames: readonly string[];
  /** The additional delay. */
  readonly afterMs?: number;
  /** How many later frames overtake it. */
  readonly behind?: number;
  /** How long this direction stays silent. */
  readonly silenceMs?: number;
  /** The connection closes with this code. */
  readonly closeCode?: number;
}

/** A frame that is about to travel. */
export interface TravellingFrame {
  readonly ch: string;
  readonly dir: Direction;
  readonly raw: string;
  /** Milliseconds since any origin. */
  readonly t: number;
}

/** Decides what happens to each frame of a connection, such as a {@link FaultInjector}. */
export interface FrameInterceptor {
  assess(frame: TravellingFrame): FrameOutcome;
}

interface ArmedRule extends FaultRule {
  readonly filter: Filter;
  matches: number;
}

/** How many frames back the request of an answer is searched for. */
const REMEMBERED = 4096;

/** Injects faults by a plan: the same frames have the same outcomes. */
export class FaultInjector implements FrameInterceptor {
  readonly #rules: readonly ArmedRule[];
  readonly #random: () => number;
  readonly #index = new FrameIndex();
  #count = 0;

  /** @throws TypeError when the filter of a rule is invalid; parseFaultPlan checks them */
  constructor({ seed, rules }: FaultPlan) {
    this.#random = seededRandom(seed);
    this.#rules = rules.map((rule) => {
      const filter = parseFilter(rule.match);
      if (!filter.ok) throw new TypeError(filter.issue);
      return { ...rule, filter: filter.value, matches: 0 };
    });
  }

  assess(frame: TravellingFrame): FrameOutcome {
    const fault = this.#faultOf(frame);
    const { raw } = frame;
    if (fault === undefined) return { frames: [raw] };
    const outcome = { fault: describeFault(fault), frames: [raw] };
    switch (fault.kind) {
      case "delay":
        return { ...outcome, afterMs: fault.ms + (fault.jitterMs ?? 0) * this.#random() };
      case "drop":
        return { ...outcome, frames: [] };
      case "duplicate":
        return { ...outcome, frames: [raw, raw] };
      case "reorder":
        return { ...outcome, behind: fault.behind };
      case "silence":
        return { ...outcome, silenceMs: fault.ms };
      case "close":
        return { ...outcome, frames: [], closeCode: fault.code };
      default:
        return { ...outcome, frames: [garble(raw, fault, this.#random)] };
    }
  }

  #faultOf({ ch, dir, raw, t }: TravellingFrame): Fault | undefined {
    if (this.#rules.length === 0) return undefined;
    this.#count += 1;
    const n = this.#count;
    this.#index.add({ n, t, ev: "frame", ch, dir, raw });
    if (n % REMEMBERED === 0) this.#index.drop(n - REMEMBERED);
    const facts = this.#index.of(n);
    if (facts === undefined) return undefined;
    for (const rule of this.#rules) {
      if (!rule.filter.matches({ facts, raw: () => raw })) continue;
      rule.matches += 1;
      if (rule.nth !== undefined && rule.nth !== rule.matches) continue;
      if (rule.chance !== undefined && this.#random() >= rule.chance) continue;
      return rule.fault;
    }
    return undefined;
  }
}

/** Numbers from 0 to below 1 that depend on the seed only (the mulberry32 generator). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
