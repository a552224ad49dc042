import type { Unsubscribe } from "../emitter.ts";
import type { EditorHost, Selection } from "./editor-host.ts";

/** Where the person is in an editor. */
interface Whereabouts {
  /** Of the cursor; empty for none. */
  readonly place: string;
  /** When the active document had the focus last, in milliseconds since 1970. */
  readonly focusedMs: number;
}

/**
 * Detects when the person uses an editor: its cursor moves, or another document receives the focus. A text that
 * changes while the cursor stays, such as when an agent writes the file, does not count.
 */
export class FocusWatch {
  readonly #host: EditorHost;
  readonly #onfocus: () => void;
  readonly #stops: readonly Unsubscribe[];
  #whereabouts: Whereabouts;
  #focusedMs: number;

  constructor(host: EditorHost, onfocus: () => void) {
    this.#host = host;
    this.#onfocus = onfocus;
    this.#whereabouts = whereaboutsIn(host);
    const { place, focusedMs } = this.#whereabouts;
    const isVisited = place !== "" || focusedMs > 0 || host.documents().some((each) => each.active);
    this.#focusedMs = isVisited ? Date.now() : 0;
    const events = ["selection", "documents"] as const;
    this.#stops = events.map((event) => host.on(event, () => this.#look()));
  }

  /** When the person was last in the editor, in milliseconds since 1970; 0 for never. */
  get focusedMs(): number {
    return this.#focusedMs;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #look(): void {
    const before = this.#whereabouts;
    const now = whereaboutsIn(this.#host);
    this.#whereabouts = now;
    const isMoved = now.place !== "" && now.place !== before.place;
    if (!isMoved && now.focusedMs <= before.focusedMs) return;
    this.#focusedMs = Date.now();
    this.#onfocus();
  }
}

function whereaboutsIn(host: EditorHost): Whereabouts {
  const active = host.documents().find((document) => document.active);
  return { place: placeOf(host.selection("current")), focusedMs: active?.lastFocusedMs ?? 0 };
}

/** Where a selection is, whatever its text. */
function placeOf(selection: Selection | undefined): string {
  if (selection === undefined) return "";
  const ranges = selection.ranges.map(({ start, end }) => [start, end]);
  return JSON.stringify([selection.path, ranges]);
}
