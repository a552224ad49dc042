import { requireKnownOptions } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { MAX_TIMER_MS } from "./timers.ts";

/** The limits for clients of an HTTP endpoint. */
export interface HttpLimits {
  /**
   * 1,000. Beyond it, the least recently used session of the same principal ends, or one of the principal that has
   * most, if that has more; else the new one is refused with 503.
   */
  readonly maxSessions: number;
  /**
   * 4 MiB, decompressed; a larger body is refused with 413. All bodies together may take 64 MiB, or four times
   * this if that is more: beyond it principals have equal shares, and another body is refused with 503.
   */
  readonly maxBodyBytes: number;
  /**
   * 4,096: the requests, streams included, that are open at once. Beyond it, the oldest request of the principal
   * that has most ends, if that has more than the new one's; else the new one is refused with 503.
   */
  readonly maxOpenRequests: number;
  /** 3,600,000: how long a session without a request or a stream is kept. */
  readonly sessionIdleMs: number;
  /** 15,000: between two comments on a stream, so that intermediaries do not close it. */
  readonly keepAliveMs: number;
}

const defaultLimits: HttpLimits = {
  maxSessions: 1_000,
  maxBodyBytes: 4 * 1024 * 1024,
  maxOpenRequests: 4_096,
  sessionIdleMs: 3_600_000,
  keepAliveMs: 15_000,
};

/** @throws IdewireError `invalid-argument` for a limit that is unknown, or no positive number */
export function limitsOf(limits: Partial<HttpLimits> = {}): HttpLimits {
  requireKnownOptions("limits", limits, new Set(Object.keys(defaultLimits)));
  for (const [name, value] of Object.entries(limits)) {
    const most = name === "keepAliveMs" ? MAX_TIMER_MS : Number.POSITIVE_INFINITY;
    if (value > 0 && value <= most) continue;
    const expected = value > 0 ? `at most ${most}` : "more than 0";
    throw new IdewireError(
      "invalid-argument",
      `limits.${name}: expected ${expected}, got ${value}`,
    );
  }
  return { ...defaultLimits, ...limits };
}
