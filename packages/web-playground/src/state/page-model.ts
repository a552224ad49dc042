import { files as sampleFiles } from "virtual:sample";
import { parsePosixPath } from "@idewire/core";
import { manualClock } from "@idewire/core/testing";
import {
  type EndNames,
  editorEnds,
  endsOf,
  type FaultPlan,
  FrameIndex,
  type FrameInterceptor,
  type KnownProblems,
  type LogState,
  LogStates,
  mcpEnds,
} from "@idewire/devtools/internal";
import { Simulation } from "@idewire/devtools/simulation";
import { EventLog, type Problem } from "@idewire/devtools/trace";
import { batch, computed, type Signal, signal } from "@preact/signals";
import { type EditorActions, simulationActions } from "./editor-actions.ts";
import { type IndexedLog, withIndex } from "./indexed-log.ts";
import type { LinkedFolder, LinkedInspection } from "./server-link.ts";

/** The mode of the page: both ends simulated, a recorded log, or a live backend. */
export type PageMode = "simulate" | "replay" | "live";

/** The problems of the frames so far; a new object when there are more. */
export interface FoundProblems extends KnownProblems {
  /** How many frames have one. */
  readonly frames: number;
  of(n: number): readonly Problem[];
}

/** A log that was recorded. */
export interface Recording {
  readonly recorded: IndexedLog;
  /** The time of day of its start, if known. */
  readonly startedMs?: number | undefined;
  /** The names of the MCP servers, if it is not of an editor. */
  readonly server?: string | undefined;
}

/** The shortest time between two renders, which leaves time for input. */
const PAUSE_MS = 32;

/** The state in which a simulation begins. */
export interface SimulationStart {
  readonly files?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** One log and the state derived from it. Every view is a function of the log and the cursor. */
export class PageModel {
  readonly kind: Signal<PageMode> = signal("simulate");
  /** Incremented when the log has grown, so that views that read it render again. */
  readonly version = signal(0);
  /** The event whose moment is shown; undefined follows the newest. */
  readonly cursor: Signal<number | undefined> = signal(undefined);
  /** Both ends at the cursor. */
  readonly state = computed<LogState>(() => {
    void this.version.value;
    return this.#replay.at(this.cursor.value ?? this.#own.log.last);
  });
  /** Whether the shown frames are not the model's own, but for example those of the checks. */
  readonly showsOtherFrames = signal(false);
  /** Factor of the virtual clock; 0 stops it. */
  readonly speed = signal(1);
  readonly faults: Signal<FaultPlan | undefined> = signal(undefined);
  /** Undefined until the rules are loaded, after the first view. */
  readonly problems: Signal<FoundProblems | undefined> = signal(undefined);
  log = new EventLog();
  index = new FrameIndex();
  simulation: Simulation | undefined;
  /** The folder that idewire serves, if any. */
  live: LinkedFolder | undefined;
  /** The inspection that idewire serves, if any. */
  inspector: LinkedInspection | undefined;
  #startedMs: number | undefined;
  /** The MCP servers of a recorded log. */
  #server: string | undefined;
  #own: IndexedLog = { log: this.log, index: this.index };
  #actions: EditorActions | undefined;
  #replay = new LogStates(this.log);
  #clock = manualClock();
  #ticking: number | undefined;
  #lastTick = 0;
  #scheduled = false;
  #drawnMs = 0;

  constructor() {
    // Moments belong to the model's own log.
    this.cursor.subscribe((n) => n !== undefined && this.showOwnFrames());
  }

  /** Both ends at an event of the model's own log. */
  stateAt(n: number): LogState {
    return this.#replay.at(n);
  }

  /** The model's own log, even while another is shown. */
  get own(): IndexedLog {
    return this.#own;
  }

  /** Shows other frames until {@link showOwnFrames}; the own log grows meanwhile. */
  lookAt({ log, index }: IndexedLog): void {
    if (this.log === log) return;
    batch(() => {
      this.cursor.value = undefined;
      this.showsOtherFrames.value = log !== this.#own.log;
      this.log = log;
      this.index = index;
      this.version.value += 1;
    });
  }

  /** Shows the model's own frames again. */
  showOwnFrames(): void {
    this.lookAt(this.#own);
  }

  /** The time of day at time 0 of the shown frames, in milliseconds since 1970. */
  get startedMs(): number | undefined {
    if (this.showsOtherFrames.value) return undefined;
    const behind = this.inspector ?? this.live;
    return this.kind.value === "live" ? behind?.startedMs : this.#startedMs;
  }

  /** Virtual milliseconds since the simulation began. */
  get nowMs(): number {
    return this.#clock.nowMs;
  }

  /** Starts a simulation without an agent. */
  simulate({ files, folder }: SimulationStart = {}): Simulation {
    this.simulation?.close();
    this.#clock = manualClock();
    const parsed = folder === undefined ? undefined : parsePosixPath(folder);
    const place = parsed?.ok === true ? { folder: parsed.value } : {};
    const simulation = new Simulation({
      files: { ...sampleFiles, ...files },
      ...place,
      ...(folder !== undefined && { platform: "windows" as const }),
      clock: this.#clock,
      now: () => this.#clock.nowMs,
      latencyMs: 12,
    });
    this.simulation = simulation;
    this.#startedMs = Date.now();
    this.#actions = simulationActions(simulation);
    batch(() => {
      this.kind.value = "simulate";
      this.faults.value = undefined;
      this.#show(withIndex(simulation.log));
    });
    this.#tick();
    return simulation;
  }

  /** Starts a simulation with an open file, a connecting agent, and the given faults. */
  startOver(faults?: FaultPlan, createInterceptor?: () => FrameInterceptor): Simulation {
    const simulation = this.simulate();
    if (faults !== undefined) this.setFaults(faults, createInterceptor);
    void simulation.command({ do: "open", path: "README.md" });
    simulation.perform("agent", "starts, and looks for an editor", () => void simulation.connect());
    return simulation;
  }

  /** Shows a recorded log. */
  replay({ recorded, startedMs, server }: Recording): void {
    this.#startedMs = startedMs;
    this.#server = server;
    this.simulation?.close();
    this.simulation = undefined;
    this.#actions = undefined;
    this.#begin("replay", recorded);
  }

  /** Whether actions take effect; false while the connection to idewire is lost. */
  get isReachable(): boolean {
    const behind = this.inspector ?? this.live;
    return this.kind.value !== "live" || behind?.link.status.value === "connected";
  }

  /** The names of the MCP servers whose messages are shown; undefined for those of an editor. */
  get server(): string | undefined {
    if (this.kind.value === "replay") return this.#server;
    if (this.inspector?.isClient !== true) return undefined;
    return this.inspector.servers.map(({ name }) => name).join(", ");
  }

  /** The names of the two ends of the connections. */
  get ends(): EndNames {
    return this.server === undefined ? editorEnds : mcpEnds;
  }

  /** The names of the two ends of one connection. */
  endsOf(ch: string): EndNames {
    return endsOf(this.index.protocolOf(ch), this.ends);
  }

  /** The actions of the person; undefined in a recorded log. */
  get actions(): EditorActions | undefined {
    return this.#actions;
  }

  /**
   * Shows a folder and its log; called again after a lost connection.
   * @param before how many events with a row came before those of the log
   */
  showLive(live: LinkedFolder, log: EventLog, before = 0): void {
    this.live = live;
    this.#actions = live;
    this.#begin("live", withIndex(log, before));
  }

  /** Shows an inspection and its log; called again after a lost connection. */
  showInspector(inspector: LinkedInspection, log: EventLog, before = 0): void {
    this.inspector = inspector;
    this.#begin("live", withIndex(log, before));
  }

  /** Renders again, although the log has not grown. */
  redraw(): void {
    this.#changed();
  }

  /** @param createInterceptor carries out the plan; passed by the caller, who has loaded it */
  setFaults(
    plan: FaultPlan | undefined,
    createInterceptor: (() => FrameInterceptor) | undefined,
  ): void {
    this.faults.value = plan;
    this.simulation?.setFaults(createInterceptor);
  }

  /** Advances virtual time immediately. */
  advance(ms: number): void {
    this.#clock.advance(ms);
  }

  #begin(kind: PageMode, log: IndexedLog): void {
    if (kind !== "live") this.inspector = undefined;
    batch(() => {
      this.kind.value = kind;
      this.#show(log);
    });
  }

  #show(own: IndexedLog): void {
    const { log, index } = own;
    this.#own = own;
    this.log = log;
    this.index = index;
    this.showsOtherFrames.value = false;
    this.#replay = new LogStates(log);
    log.on("append", () => this.#changed());
    this.cursor.value = undefined;
    this.version.value += 1;
  }

  /** Renders once for all events of a turn, delayed if the last render was recent. */
  #changed(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const draw = (): void => {
      this.#scheduled = false;
      this.version.value += 1;
      this.#drawnMs = performance.now();
    };
    const pause = this.#drawnMs + PAUSE_MS - performance.now();
    if (pause <= 0) queueMicrotask(draw);
    else window.setTimeout(draw, pause);
  }

  /** Advances the virtual clock with the real one, by the factor `speed`. */
  #tick(): void {
    window.clearInterval(this.#ticking);
    this.#lastTick = performance.now();
    this.#ticking = window.setInterval(() => {
      const now = performance.now();
      const passed = Math.min(now - this.#lastTick, 250);
      this.#lastTick = now;
      this.#clock.advance(passed * this.speed.value);
    }, 16);
  }
}
