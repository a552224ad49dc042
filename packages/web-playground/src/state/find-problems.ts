import { ProblemIndex } from "@idewire/devtools/trace";
import { effect } from "@preact/signals";
import type { PageModel } from "./page-model.ts";

/** So long may a turn look for problems: the page stays quick with a hundred thousand frames. */
const SLICE_MS = 8;

/** Looks at every frame of the session's log, a slice at a time, and tells the session what is wrong. */
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
      if (event !== undefined) index.add(event);
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
    model.version.value;
    look();
  });
}
