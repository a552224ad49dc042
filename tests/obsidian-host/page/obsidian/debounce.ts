export interface Debouncer<T extends unknown[], V> {
  (...args: T): Debouncer<T, V>;
  cancel(): Debouncer<T, V>;
  run(): V | undefined;
}

/** As in Obsidian, the first call starts the delay, and later ones restart it only if requested. */
export function debounce<T extends unknown[], V>(
  act: (...args: T) => V,
  timeout = 0,
  resetTimer = false,
): Debouncer<T, V> {
  let timer: number | undefined;
  let last: T | undefined;
  const run = () => {
    const args = last;
    timer = undefined;
    last = undefined;
    return args === undefined ? undefined : act(...args);
  };
  const call = (...args: T) => {
    last = args;
    if (timer !== undefined && resetTimer) {
      window.clearTimeout(timer);
      timer = undefined;
    }
    timer ??= window.setTimeout(run, timeout);
    return debouncer;
  };
  const debouncer: Debouncer<T, V> = Object.assign(call, {
    cancel: () => {
      window.clearTimeout(timer);
      timer = undefined;
      last = undefined;
      return debouncer;
    },
    run: () => {
      window.clearTimeout(timer);
      return run();
    },
  });
  return debouncer;
}
