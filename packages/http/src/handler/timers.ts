/** Lets the program end while a timer runs, where the platform has such timers. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}
