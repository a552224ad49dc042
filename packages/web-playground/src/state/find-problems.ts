import { ProblemIndex } from "@idewire/devtools/trace";
import { effect } from "@preact/signals";
import type { PageModel } from "./page-model.ts";

/** The longest time per turn, so that the page stays responsive with a hundred thousand frames. */
const SLICE_MS = 8;

/** Checks every frame of the log that is shown, a slice at a time, and sets `model.problems`. */
export function findProblems(model: PageModel): void {
  let { log } = model;
  let index = new ProblemIndex();
  let seen = 0;
  let shown = -1;
  let timer: number | undefined;
  const look = (): void => {
    window.clearTimeout(timer);
    if (log !== model.log) {
      log = model.log;
      index = new ProblemIndex();
      [seen, shown] = [0, -1];
    }
    if (seen < log.dropped) {
      seen = log.dropped;
      index.drop(seen + 1);
    }
    const end = performance.now() + SLICE_MS;
    for (; seen < log.last; seen += 1) {
      const event = log.at(seen + 1);
      // The rules are those of editors.
      if (event !== undefined && model.inspector?.isClient !== true) index.add(event);
      if (seen % 64 === 0 && performance.now() > end) break;
    }
    if (seen < log.last) {
      seen += 1;
      timer = window.setTimeout(look);
    }
    if (index.frames === shown) return;
    shown = index.frames;
    model.problems.value = {
      of: (n) => index.of(n),
      layersOf: (n) => index.layersOf(n),
      seen: index.seen,
      frames: shown,
    };
  };
  effect(() => {
    void model.version.value;
    look();
  });
}
