import { IdewireError } from "@idewire/core/rpc";
import type { Fetch } from "@idewire/http/internal";

/**
 * Waits for a promise that supports no signal; once the command is stopped, it is abandoned to the closing of
 * its connection.
 * @throws IdewireError `cancelled`
 */
export async function untilStopped<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const stopped = new Promise<never>((_, reject) => {
    abort = () => reject(new IdewireError("cancelled", "The command was stopped"));
  });
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([waiting, stopped]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The `send` whose requests end with the command. */
export function fetchUntil(signal: AbortSignal, send: Fetch): Fetch {
  return (url, init) => {
    const signals = init?.signal ? [init.signal, signal] : [signal];
    return send(url, { ...init, signal: AbortSignal.any(signals) });
  };
}
