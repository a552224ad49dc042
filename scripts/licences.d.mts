import type { Plugin } from "rollup";

/** Collects the licences of the packages in a bundle, which may be built in several parts. */
export function createLicences(): {
  /** Fails if a licence is not allowed, or has no text. */
  readonly plugin: Plugin;
  /** The licences of the packages bundled so far. */
  readonly text: () => string;
};
