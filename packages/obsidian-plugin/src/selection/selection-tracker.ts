import type { Clock } from "@idewire/core/rpc";
import type { TrackedSelection } from "./tracked-selection.ts";

/** A selection counts as final after this long without a change. */
const SETTLE_MS = 40;
/** A moving cursor is reported once it rests this long. */
const REST_MS = 300;
/** Continuous changes are reported after this long at the latest. */
const TIMEOUT_MS = 1_000;
/** If the release of a mouse button is missed, reports are delayed this long at most. */
const HOLD_MS = 3_000;

/** A key that identifies a selection without its text. */
interface SelectionState {
  readonly path: string;
  readonly place: string;
  readonly isSelected: boolean;
}

/**
 * Stores the shown document, even while the focus is in a terminal, and emits when agents should
 * receive it: once for each action, not for each step of a cursor.
 */
export class SelectionTracker {
  readonly #clock: Clock;
  readonly #emit: () => void;
  #now: TrackedSelection | undefined;
  #sent: SelectionState | undefined;
  #timer: unknown;
  #changedMs = 0;
  #held = false;

  /** @param emit called when agents should receive {@link SelectionTracker.now} */
  constructor(clock: Clock, emit: () => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  get now(): TrackedSelection | undefined {
    return this.#now;
  }

  /** The selection or the active document has changed. */
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

  /** A mouse button is down: the selection is not final. */
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
    const [wantedMs, mostMs] = this.#held ? [HOLD_MS, HOLD_MS] : [delayMs, TIMEOUT_MS];
    const leftMs = this.#changedMs + mostMs - Date.now();
    this.#start(Math.max(0, Math.min(wantedMs, leftMs)));
  }

  /** How long to wait before emitting; undefined if nothing has changed. */
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
