/** The active timers of the plugin: those of `node:timers`, and those that it set on windows. */
export const openTimers = new Map<object | number, string>();

type Callback = (...args: unknown[]) => void;

/** What `node:timers` returns in Electron: an object, where the window returns a number. */
class Timeout {
  readonly #repeats: boolean;
  readonly #id: number;

  constructor(callback: Callback, ms: number, repeats: boolean) {
    this.#repeats = repeats;
    openTimers.set(this, `${repeats ? "interval" : "timeout"} of ${ms} ms from node:timers`);
    const run = () => {
      if (!repeats) openTimers.delete(this);
      callback();
    };
    this.#id = repeats ? nativeSetInterval(run, ms) : nativeSetTimeout(run, ms);
  }

  stop(): void {
    if (this.#repeats) nativeClearInterval(this.#id);
    else nativeClearTimeout(this.#id);
    openTimers.delete(this);
  }

  unref(): this {
    return this;
  }

  refresh(): this {
    return this;
  }
}

const nativeSetTimeout = window.setTimeout.bind(window);
const nativeSetInterval = window.setInterval.bind(window);
const nativeClearTimeout = window.clearTimeout.bind(window);
const nativeClearInterval = window.clearInterval.bind(window);

const stop = (timer: unknown) => {
  if (timer instanceof Timeout) timer.stop();
  else if (typeof timer === "number") nativeClearTimeout(timer);
};

export const timers = {
  setTimeout: (callback: Callback, ms = 0, ...args: unknown[]) =>
    new Timeout(() => callback(...args), ms, false),
  setInterval: (callback: Callback, ms = 0, ...args: unknown[]) =>
    new Timeout(() => callback(...args), ms, true),
  setImmediate: (callback: Callback, ...args: unknown[]) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback(...args);
    };
    port2.postMessage(undefined);
    return port1;
  },
  clearTimeout: stop,
  clearInterval: stop,
};

interface SleepOptions {
  readonly signal?: AbortSignal;
}

export const timersPromises = {
  setTimeout: (ms?: number, value?: unknown, { signal }: SleepOptions = {}) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        timer.stop();
        reject(new DOMException("The operation was aborted", "AbortError"));
      };
      const timer = new Timeout(
        () => {
          signal?.removeEventListener("abort", abort);
          resolve(value);
        },
        ms ?? 0,
        false,
      );
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    }),
  setImmediate: (value?: unknown) =>
    new Promise((resolve) => timers.setImmediate(() => resolve(value))),
};

/**
 * Records the window timers that the plugin sets: the caller in the stack distinguishes them from
 * the app's.
 */
export function watchWindowTimers(win: Window & typeof globalThis): void {
  const own = {
    setTimeout: win.setTimeout.bind(win),
    setInterval: win.setInterval.bind(win),
    clearTimeout: win.clearTimeout.bind(win),
    clearInterval: win.clearInterval.bind(win),
  };
  const start = (kind: "setTimeout" | "setInterval") => {
    const watched = (callback: TimerHandler, ms?: number, ...args: unknown[]) => {
      if (!calledByPlugin() || typeof callback !== "function")
        return own[kind](callback, ms, ...args);
      const run = () => {
        if (kind === "setTimeout") openTimers.delete(id);
        callback(...args);
      };
      const id = own[kind](run, ms);
      openTimers.set(id, `${kind} of ${ms ?? 0} ms`);
      return id;
    };
    return watched;
  };
  const end = (kind: "clearTimeout" | "clearInterval") => (id?: number) => {
    if (id !== undefined) openTimers.delete(id);
    own[kind](id);
  };
  Object.assign(win, {
    setTimeout: start("setTimeout"),
    setInterval: start("setInterval"),
    clearTimeout: end("clearTimeout"),
    clearInterval: end("clearInterval"),
  });
}

/** Whether our caller was called by the plugin. */
export function calledByPlugin(): boolean {
  const [, , , caller = ""] = (new Error().stack ?? "").split("\n");
  return caller.includes("plugin:");
}
