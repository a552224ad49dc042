/** What differs between the legacy revisions, as far as a peer must act on it. */
export interface RevisionTraits {
  /** Arrays of messages are understood. */
  readonly batches: boolean;
}

/** A revision of MCP that starts with `initialize`. */
export type LegacyRevision = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25";

/** The legacy revisions, oldest first. */
export const legacyRevisions: Readonly<Record<LegacyRevision, RevisionTraits>> = {
  "2024-11-05": { batches: false },
  "2025-03-26": { batches: true },
  "2025-06-18": { batches: false },
  "2025-11-25": { batches: false },
};

/** The newest revision that starts with `initialize`. */
export const newestLegacyRevision: LegacyRevision = "2025-11-25";

export function isLegacyRevision(version: unknown): version is LegacyRevision {
  return typeof version === "string" && Object.hasOwn(legacyRevisions, version);
}

/**
 * The revision that a server answers with: the one that was asked for when it is known and no older
 * than `minimum`, else the newest (MCP 2025-11-25, Lifecycle / Version Negotiation).
 */
export function negotiateRevision(requested: unknown, minimum?: LegacyRevision): LegacyRevision {
  const isSpoken = isLegacyRevision(requested) && requested >= (minimum ?? requested);
  return isSpoken ? requested : newestLegacyRevision;
}
