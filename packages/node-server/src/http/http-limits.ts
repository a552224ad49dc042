import { IdewireError } from "@idewire/core";

/** What clients of an HTTP endpoint may cost. */
export interface HttpLimits {
  /** 1,000; one more takes the place of the one unused for longest, or is refused with 503. */
  readonly maxSessions: number;
  /** 4 MiB; a larger body is refused with 413. */
  readonly maxBodyBytes: number;
  /** 4,096: the requests, streams included, that are open at once; one more is refused with 503. */
  readonly maxOpenRequests: number;
  /** 3,600,000: how long a session without a request and without a stream is kept. */
  readonly sessionIdleMs: number;
  /** 15,000: between two comments on a stream, which keep what is between us and the client awake. */
  readonly keepAliveMs: number;
}

const defaultLimits: HttpLimits = {
  maxSessions: 1_000,
  maxBodyBytes: 4 * 1024 * 1024,
  maxOpenRequests: 4_096,
  sessionIdleMs: 3_600_000,
  keepAliveMs: 15_000,
};

/** @throws IdewireError `invalid-argument` for a limit that is not a positive number */
export function limitsOf(limits: Partial<HttpLimits> = {}): HttpLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0) continue;
    throw new IdewireError(
      "invalid-argument",
      `limits.${name}: expected more than 0, got ${value}`,
    );
  }
  return { ...defaultLimits, ...limits };
}
