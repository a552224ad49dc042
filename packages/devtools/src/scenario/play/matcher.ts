import { isLike } from "../../like.ts";
import type { ScenarioIde } from "../editor/scenario-ide.ts";
import type { SeenEvent } from "../editor/seen.ts";
import {
  type ExpectationStep,
  type Scenario,
  type ScenarioExpectations,
  scenarioDefaults,
} from "../file/model.ts";
import { callOf, compareEvent, type MessageStep } from "../matchers/compare-event.ts";
import { findFrameMismatch } from "../matchers/compare-frames.ts";
import { findFileMismatch } from "../matchers/file-expectation.ts";
import { type Mismatch, mismatches } from "../pattern/pattern.ts";
import type { ScenarioFailure } from "./report.ts";
import { describeEvent } from "./words.ts";

const POLL_MS = 25;

/** How long after the end of an agent's command its last messages may arrive. */
const AFTER_EXIT_MS = 500;

/** How many frames a failure shows before, and after, the one it is about. */
const FRAMES_AROUND = 4;

type Failure = Omit<ScenarioFailure, "line" | "title">;

/** The event closest to the expectation, and its differences. */
interface Close {
  readonly event: SeenEvent;
  readonly mismatches: readonly Mismatch[];
}

/** Matches events with expectations. */
export class Matcher {
  readonly #scenario: Scenario;
  readonly #ide: ScenarioIde;
  readonly #signal: AbortSignal | undefined;
  readonly #taken = new Set<SeenEvent>();
  /** The `n` of the last event that was matched in order. */
  #cursor = 0;

  constructor(scenario: Scenario, ide: ScenarioIde, signal: AbortSignal | undefined) {
    this.#scenario = scenario;
    this.#ide = ide;
    this.#signal = signal;
  }

  /** Whether any agent has connected, or was refused. */
  get hasAgent(): boolean {
    return this.#arrivalMs !== undefined;
  }

  /** Waits until the expectation is met; resolves to the failure, or to undefined. */
  meet(step: ExpectationStep): Promise<Failure | undefined> {
    switch (step.expect) {
      case "file":
        return this.#meetFile(step);
      case "frames":
        return this.#meetFrames(step);
      case "no-call":
        return this.#meetQuiet(step.forMs, (event) => this.#isUnwantedCall(step, event));
      case "no-connection":
        return this.#meetQuiet(
          step.forMs,
          (event) => event.kind === "connected" && isLike(step.editor ?? "*", event.editor),
        );
      default:
        return this.#meetEvents(step);
    }
  }

  get #arrivalMs(): number | undefined {
    const isArrival = ({ kind }: SeenEvent) => kind === "connected" || kind === "refused";
    return this.#ide.log.events.find(isArrival)?.atMs;
  }

  async #meetEvents(step: MessageStep): Promise<Failure | undefined> {
    const times = "times" in step ? (step.times ?? 1) : 1;
    for (let count = 0; count < times; count++) {
      const failure = await this.#meetEvent(step, count);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  async #meetEvent(step: MessageStep, count: number): Promise<Failure | undefined> {
    const { events } = this.#ide.log;
    const isAnyOrder = "order" in step && step.order === "any";
    let scanned = 0;
    let closest: Close | undefined;
    const find = (): SeenEvent | undefined => {
      for (; scanned < events.length; scanned++) {
        const event = events[scanned] as SeenEvent;
        if (this.#taken.has(event) || (!isAnyOrder && event.n < this.#cursor)) continue;
        const differences = compareEvent(step, event, this.#ide);
        if (differences?.length === 0) return event;
        if (differences === undefined) continue;
        const isCloser = closest === undefined || differences.length <= closest.mismatches.length;
        if (isCloser) closest = { event, mismatches: differences };
      }
      return undefined;
    };
    const limitMs = (startMs: number) => this.#limitMs(startMs, step.withinMs);
    const { found, waitedMs } = await this.#until(find, limitMs);
    if (found === undefined) return this.#missing(step, { count, waitedMs, closest });
    this.#taken.add(found);
    if (!isAnyOrder) this.#cursor = found.n;
    return undefined;
  }

  async #meetFile(step: ScenarioExpectations["file"]): Promise<Failure | undefined> {
    const { files, log } = this.#ide;
    const sinceMs = log.nowMs;
    let mismatch: Mismatch | undefined;
    const find = () => {
      mismatch = findFileMismatch(step, files.read(step.path));
      return mismatch === undefined ? true : undefined;
    };
    await this.#until(find, (startMs) => this.#limitMs(startMs, step.withinMs), POLL_MS);
    if (mismatch === undefined) return undefined;
    const message = `the file is not as expected${this.#afterwards(sinceMs)}`;
    return { message, mismatches: [mismatch], frames: this.#framesAround() };
  }

  async #meetFrames(step: ScenarioExpectations["frames"]): Promise<Failure | undefined> {
    const { trace } = this.#ide.log;
    const compare = () => findFrameMismatch(step.frames, trace.events);
    const find = () => (compare() === undefined ? true : undefined);
    const limitMs = (startMs: number) => this.#limitMs(startMs, step.withinMs);
    await this.#until(find, limitMs, POLL_MS);
    const { forMs = scenarioDefaults.forMs } = step;
    if (compare() === undefined) await this.#until(compare, (startMs) => startMs + forMs);
    const mismatch = compare();
    if (mismatch === undefined) return undefined;
    const message = "the frames are not as expected";
    return { message, mismatches: [mismatch], frames: this.#framesAround() };
  }

  async #meetQuiet(
    forMs = scenarioDefaults.forMs,
    isUnwanted: (event: SeenEvent) => boolean,
  ): Promise<Failure | undefined> {
    const { events } = this.#ide.log;
    let scanned = 0;
    const find = () => {
      for (; scanned < events.length; scanned++) {
        const event = events[scanned] as SeenEvent;
        if (!this.#taken.has(event) && isUnwanted(event)) return event;
      }
      return undefined;
    };
    const { found } = await this.#until(find, (startMs) => startMs + forMs);
    if (found === undefined) return this.hasAgent ? undefined : this.#missingAgent();
    const message = `expected none, saw: ${describeEvent(found)}`;
    return { message, closest: found, mismatches: [], frames: this.#framesAround(found) };
  }

  #noAgent(waitedMs: number): string {
    const exit = this.#ide.log.events.find(({ kind }) => kind === "exit");
    const ended = exit === undefined ? "" : `; its command: ${describeEvent(exit)}`;
    return `no agent connected within ${Math.round(waitedMs)} ms${ended}`;
  }

  /** Requires an agent: without one, silence proves nothing. */
  async #missingAgent(): Promise<Failure | undefined> {
    const { found, waitedMs } = await this.#until(
      () => this.#arrivalMs,
      (startMs) => this.#limitMs(startMs, 0),
    );
    if (found !== undefined) return undefined;
    return { message: this.#noAgent(waitedMs), mismatches: [], frames: [] };
  }

  #isUnwantedCall(step: ScenarioExpectations["no-call"], event: SeenEvent): boolean {
    const call = callOf(event);
    if (call === undefined || step.except?.includes(String(call.tool))) return false;
    if (step.tool !== undefined && step.tool !== call.tool) return false;
    if (step.arguments === undefined) return true;
    return mismatches(step.arguments, call.arguments, this.#ide).length === 0;
  }

  #missing(
    step: MessageStep,
    seen: {
      readonly count: number;
      readonly waitedMs: number;
      readonly closest: Close | undefined;
    },
  ): Failure {
    const { count, waitedMs, closest } = seen;
    const frames = this.#framesAround(closest?.event);
    if (!this.hasAgent && step.expect !== "exit") {
      return { message: this.#noAgent(waitedMs), mismatches: [], frames };
    }
    const times = "times" in step ? (step.times ?? 1) : 1;
    const which = times === 1 ? "it did not arrive" : `${count} of ${times} came`;
    const message = `${which} within ${Math.round(waitedMs)} ms${this.#afterwards(0)}`;
    const early = this.#findEarly(step);
    if (early !== undefined) {
      const hint = `${message}; but it arrived too early, which "order":"any" allows`;
      return { message: hint, closest: early, mismatches: [], frames: this.#framesAround(early) };
    }
    if (closest === undefined) return { message, mismatches: [], frames };
    return { message, closest: closest.event, mismatches: closest.mismatches, frames };
  }

  /** An event that would have met the expectation, had it come after the last match. */
  #findEarly(step: MessageStep): SeenEvent | undefined {
    return this.#ide.log.events.find((event) => {
      const isPassed = event.n < this.#cursor && !this.#taken.has(event);
      return isPassed && compareEvent(step, event, this.#ide)?.length === 0;
    });
  }

  /** Further causes of a failure: the end or the refusal of the agent, and dropped events. */
  #afterwards(sinceMs: number): string {
    const { events, droppedEvents } = this.#ide.log;
    const last = events.filter(({ kind }) => kind === "exit" || kind === "refused").at(-1);
    const words =
      last !== undefined && last.atMs >= sinceMs ? `; the agent: ${describeEvent(last)}` : "";
    return droppedEvents > 0 ? `${words}; ${droppedEvents} events were dropped` : words;
  }

  #framesAround(event?: SeenEvent): Failure["frames"] {
    const { frames } = this.#ide.log;
    const at = event === undefined ? -1 : frames.findIndex(({ n }) => n >= event.traced);
    if (at < 0) return frames.slice(-2 * FRAMES_AROUND);
    return frames.slice(Math.max(0, at - FRAMES_AROUND), at + FRAMES_AROUND);
  }

  /** When a wait ends: later before the first agent has connected, earlier after the last has exited. */
  #limitMs(startMs: number, ownMs: number | undefined): number {
    const { header } = this.#scenario;
    const withinMs = ownMs ?? header.withinMs ?? scenarioDefaults.withinMs;
    const arrivalMs = this.#arrivalMs;
    const limitMs =
      arrivalMs === undefined
        ? startMs + Math.max(withinMs, header.connectWithinMs ?? scenarioDefaults.connectWithinMs)
        : Math.max(startMs, arrivalMs) + withinMs;
    const exit = this.#ide.log.events.find(({ kind }) => kind === "exit");
    return exit === undefined ? limitMs : Math.min(limitMs, exit.atMs + AFTER_EXIT_MS);
  }

  /** Retries after each event, at least every `pollMs`, until the limit. */
  async #until<T>(
    find: () => T | undefined,
    limitMs: (startMs: number) => number,
    pollMs = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly found: T | undefined; readonly waitedMs: number }> {
    const { log } = this.#ide;
    const startMs = log.nowMs;
    for (;;) {
      const found = find();
      const leftMs = limitMs(startMs) - log.nowMs;
      if (found !== undefined || leftMs <= 0 || this.#signal?.aborted) {
        return { found, waitedMs: log.nowMs - startMs };
      }
      await this.#change(Math.min(leftMs, pollMs));
    }
  }

  /** Waits for the next event, at most `ms`. */
  #change(ms: number): Promise<void> {
    const { clock, log } = this.#ide;
    return new Promise((resolve) => {
      const end = () => {
        clock.clearTimeout(timer);
        unsubscribe();
        this.#signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = clock.setTimeout(end, ms);
      const unsubscribe = log.on("added", end);
      this.#signal?.addEventListener("abort", end);
    });
  }
}
