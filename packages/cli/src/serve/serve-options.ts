import type { ListenFlags } from "../flags/listen-flags.ts";
import type { ProviderPlan } from "../flags/provider-flags.ts";

/** The options of `idewire serve`. */
export interface ServeOptions {
  /** Native; absolute. */
  readonly folder: string;
  /** How the folder is offered to agents. */
  readonly listen: ListenFlags;
  /** The diagnostics providers, besides the built-in checks. */
  readonly providers: ProviderPlan;
  /** Set for a browser page as a further frontend; `open` opens it in the browser. */
  readonly page?: { readonly port?: number; readonly open: boolean };
  /** Whether the built-in checks run. */
  readonly checks: boolean;
  /** Whether comments beside the code are reported to agents. */
  readonly comments: boolean;
  /** The native path of the trace to write. */
  readonly record?: string;
}
