import { type Clock, systemClock } from "../../rpc/clock.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { cancelledByCaller, timedOut } from "../../rpc/sent-requests.ts";

/**
 * Waits for a connection that several requests share, for as long as one of them would wait for its answer.
 * @throws IdewireError `timeout` or `cancelled`; what the connection fails with
 */
export function waitWithin<T>(
  connecting: Promise<T>,
  method: string,
  { signal, timeoutMs = 60_000, maxTotalTimeoutMs = Infinity }: RequestOptions = {},
  clock: Clock = systemClock,
): Promise<T> {
  const ms = Math.min(timeoutMs, maxTotalTimeoutMs);
  return new Promise((resolve, reject) => {
    const late = () => reject(timedOut(method, ms));
    const abort = () => reject(cancelledByCaller(method));
    const timer = ms < Infinity ? clock.setTimeout(late, ms) : undefined;
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    const settle = () => {
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    connecting.then(resolve, reject).finally(settle);
  });
}
