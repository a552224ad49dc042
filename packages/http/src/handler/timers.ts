/** The longest delay of a timer: Node fires longer ones immediately. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Lets the program end while a timer runs, where the platform has such timers. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}
