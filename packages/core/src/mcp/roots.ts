import type { Meta } from "./content.ts";

// MCP 2025-11-25, Client / Roots: what both ends share; the same in all legacy revisions.

/** The method's name. */
export const LIST_ROOTS = "roots/list";
/** The notification's name. */
export const ROOTS_LIST_CHANGED = "notifications/roots/list_changed";

/** A folder or file that a server may work in. */
export interface Root {
  /** A file: URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}
