import { RpcErrorCode } from "../errors.ts";

/** The differences between revisions that affect a peer. */
export interface RevisionTraits {
  readonly revision: Revision;
  /** A frame may be an array of messages. */
  readonly batches: boolean;
  /** Content may be audio (Server / Tools, Server / Prompts, Client / Sampling). */
  readonly audio: boolean;
  /** `completion/complete` is a capability, `completions` (Server / Completion). */
  readonly completionCapability: boolean;
  /** Tools have `outputSchema`, their results `structuredContent` (Server / Tools). */
  readonly structuredOutput: boolean;
  /** Content may be a link to a resource (Server / Tools). */
  readonly resourceLinks: boolean;
  /** `completion/complete` carries the arguments given so far (Server / Completion). */
  readonly completionContext: boolean;
  /** The server may ask the person by a form (Client / Elicitation). */
  readonly elicitation: boolean;
  /** The server may send the person to a URL, forms may have lists (Client / Elicitation). */
  readonly urlElicitation: boolean;
  /** The client's model may be given tools (Client / Sampling). */
  readonly samplingTools: boolean;
  /** How invalid arguments of a tool are answered (Server / Tools, Error Handling; SEP-1303). */
  readonly argumentErrors: "tool-result" | "invalid-params";
  /** A URL elicitation has an `elicitationId`, and its completion is notified (Client / Elicitation). */
  readonly elicitationIds: boolean;
  /** `structuredContent` is any JSON value, and `outputSchema` any schema (Server / Tools). */
  readonly anyStructuredContent: boolean;
  /** The error code for a resource that does not exist (Server / Resources, Error Handling). */
  readonly resourceNotFound: number;
  /**
   * Every request carries its revision, capabilities and log level, and nothing is kept between requests:
   * the modern era (Basic / Versioning).
   */
  readonly stateless: boolean;
}

/** A revision of MCP that starts with `initialize`. */
export type LegacyRevision = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25";

/** A revision of MCP whose requests carry their metadata, without `initialize`. */
export type ModernRevision = "2026-07-28";

/** Any revision of MCP. */
export type Revision = LegacyRevision | ModernRevision;

/** The newest revision. */
export const modernRevision: ModernRevision = "2026-07-28";

/** The names of the legacy revisions, oldest first. */
export const legacyRevisionNames: readonly LegacyRevision[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

/** The revision in which a frame may be an array of messages. */
export const revisionWithBatches: LegacyRevision = "2025-03-26";

/** All revisions, oldest first. */
export const revisions: Readonly<Record<Revision, RevisionTraits>> = createTable();

/** The legacy revisions, oldest first. */
export const legacyRevisions: Readonly<Record<LegacyRevision, RevisionTraits>> =
  createLegacyTable();

// Computed by calls, so that a bundler can drop them from a program that does not use them.

function createTable(): Record<Revision, RevisionTraits> {
  const rows = [...legacyRevisionNames, modernRevision].map((revision) => [
    revision,
    traitsOf(revision),
  ]);
  return Object.fromEntries(rows) as Record<Revision, RevisionTraits>;
}

function createLegacyTable(): Record<LegacyRevision, RevisionTraits> {
  const { [modernRevision]: _, ...legacy } = revisions;
  return legacy;
}

function traitsOf(revision: Revision): RevisionTraits {
  const since = (first: Revision) => revision >= first;
  const isModern = since(modernRevision);
  return {
    revision,
    batches: revision === revisionWithBatches,
    audio: since("2025-03-26"),
    completionCapability: since("2025-03-26"),
    structuredOutput: since("2025-06-18"),
    resourceLinks: since("2025-06-18"),
    completionContext: since("2025-06-18"),
    elicitation: since("2025-06-18"),
    urlElicitation: since("2025-11-25"),
    samplingTools: since("2025-11-25"),
    argumentErrors: since("2025-11-25") ? "tool-result" : "invalid-params",
    elicitationIds: revision === "2025-11-25",
    anyStructuredContent: isModern,
    resourceNotFound: isModern ? RpcErrorCode.InvalidParams : RpcErrorCode.ResourceNotFound,
    stateless: isModern,
  };
}

/** The newest revision that starts with `initialize`. */
export const newestLegacyRevision: LegacyRevision = "2025-11-25";

/** Whether a value is one of the {@link legacyRevisions}. */
export function isLegacyRevision(version: unknown): version is LegacyRevision {
  return legacyRevisionNames.includes(version as LegacyRevision);
}

/**
 * The revision that a server answers with: the requested one when it is known and not older than
 * `minimum`, else the newest (MCP 2025-11-25, Lifecycle / Version Negotiation).
 */
export function negotiateRevision(requested: unknown, minimum?: LegacyRevision): LegacyRevision {
  const isSupported = isLegacyRevision(requested) && requested >= (minimum ?? requested);
  return isSupported ? requested : newestLegacyRevision;
}
