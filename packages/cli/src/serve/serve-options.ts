import type { ListenFlags } from "../flags/listen-flags.ts";
import type { ProviderPlan } from "../flags/provider-flags.ts";

/** What `idewire serve` was asked for. */
export interface ServeOptions {
  /** Native; absolute. */
  readonly folder: string;
  /** How it is offered to agents. */
  readonly listen: ListenFlags;
  /** The diagnostics providers, besides the built-in checks. */
  readonly providers: ProviderPlan;
  /** A browser page is a frontend too; `open` opens it in the browser. */
  readonly page?: { readonly port?: number; readonly open: boolean };
  /** Whether the built-in checks run. */
  readonly checks: boolean;
  /** Whether agents are told of the comments beside the code. */
  readonly comments: boolean;
  /** The native path of a trace to write. */
  readonly record?: string;
}
