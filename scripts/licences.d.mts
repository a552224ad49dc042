import type { Plugin } from "rollup";

/** Collects the licences of the packages in a bundle, which may be built in several parts. */
export function createLicences(): {
  /** Fails where a licence is not allowed, or has no text. */
  readonly plugin: Plugin;
  /** The licences of what was bundled so far. */
  readonly text: () => string;
};
