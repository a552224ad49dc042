import type { Clock } from "@idewire/core";
import type { TrackedSelection } from "./tracked-selection.ts";

/** A gesture is over when nothing has changed for so long. */
const SETTLE_MS = 40;
/** A cursor that only moves is told when it rests. */
const REST_MS = 300;
/** Somebody who types on and on is told of after so long. */
const PATIENCE_MS = 1_000;
/** A button that came up where nobody saw it holds nothing back for longer. */
const HOLD_MS = 3_000;

/** What agents can be told of a selection without its text. */
interface SelectionState {
  readonly path: string;
  readonly place: string;
  readonly isSelected: boolean;
}

/**
 * Holds what the person looks at, also while the focus is in a terminal, and says when there is
 * something to tell: once for each gesture, and not for each step of a cursor.
 */
export class SelectionTracker {
  readonly #clock: Clock;
  readonly #emit: () => void;
  #now: TrackedSelection | undefined;
  #sent: SelectionState | undefined;
  #timer: unknown;
  #changedMs = 0;
  #held = false;

  /** @param tell called when agents should be told of {@link SelectionTracker.now} */
  constructor(clock: Clock, emit: () => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  get now(): TrackedSelection | undefined {
    return this.#now;
  }

  /** The person has selected, or moved to, something. */
  show(tracked: TrackedSelection): void {
    this.#now = tracked;
    this.#plan();
  }

  /** The note was closed. */
  clear(): void {
    if (this.#now === undefined) return;
    this.#now = undefined;
    this.#plan();
  }

  /** The file has another name now. */
  renamed(): void {
    this.#plan();
  }

  /** A mouse button is down: what it drags over is no selection yet. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    if (this.#timer !== undefined) this.#start(0);
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #plan(): void {
    const delayMs = this.#delay();
    if (delayMs === undefined) {
      this.#clock.clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (this.#timer === undefined) this.#changedMs = Date.now();
    const [wantedMs, mostMs] = this.#held ? [HOLD_MS, HOLD_MS] : [delayMs, PATIENCE_MS];
    const leftMs = this.#changedMs + mostMs - Date.now();
    this.#start(Math.max(0, Math.min(wantedMs, leftMs)));
  }

  /** How long to wait until it is told; undefined when there is nothing new. */
  #delay(): number | undefined {
    const now = stateOf(this.#now);
    const sent = this.#sent;
    if (now === undefined || sent === undefined) return now === sent ? undefined : SETTLE_MS;
    if (now.path !== sent.path || now.isSelected !== sent.isSelected) return SETTLE_MS;
    if (now.place === sent.place) return undefined;
    return now.isSelected ? SETTLE_MS : REST_MS;
  }

  #start(delayMs: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#sent = stateOf(this.#now);
      this.#emit();
    }, delayMs);
  }
}

function stateOf(tracked: TrackedSelection | undefined): SelectionState | undefined {
  if (tracked === undefined) return undefined;
  const { file, place, isSelected } = tracked;
  return { path: file.path, place, isSelected };
}
