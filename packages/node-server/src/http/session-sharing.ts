import type { HttpLimits } from "./http-limits.ts";
import type { HttpSessionsOptions } from "./http-sessions.ts";
import type { LegacyEra } from "./legacy-era.ts";
import type { SharedInstance } from "./shared/shared-instance.ts";
import type { SlowExchanges } from "./slow-exchanges.ts";

/** How sessions are shared: a value, so that who shares none does not ship it. */
export interface SessionSharing {
  /** For the endpoint. */
  attach<Context>(
    options: HttpSessionsOptions<Context> & { readonly limits: HttpLimits },
    slow: SlowExchanges,
  ): AttachedSharing<Context>;
}

/** What an endpoint has of the sessions that it shares. */
export interface AttachedSharing<Context> {
  readonly instance: SharedInstance<Context>;
  readonly http: LegacyEra<Context>;
}
