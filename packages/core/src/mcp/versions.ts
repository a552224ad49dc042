/** The differences between the legacy revisions that a peer has to act on. */
export interface RevisionTraits {
  /** A frame may be an array of messages. */
  readonly batches: boolean;
  /** Content may be audio (Server / Tools, Server / Prompts, Client / Sampling). */
  readonly audio: boolean;
  /** Tools have `annotations` (Server / Tools). */
  readonly toolAnnotations: boolean;
  /** `completion/complete` is a capability, `completions` (Server / Completion). */
  readonly completionCapability: boolean;
  /** Descriptions have a `title` and `_meta` (Schema / BaseMetadata). */
  readonly titles: boolean;
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
  /**
   * Descriptions have `icons`; `serverInfo` and `clientInfo` a `description` and a `websiteUrl`.
   */
  readonly icons: boolean;
  /** The client's model may be given tools (Client / Sampling). */
  readonly samplingTools: boolean;
  /** How bad arguments of a tool are answered (Server / Tools, Error Handling; SEP-1303). */
  readonly argumentErrors: "tool-result" | "invalid-params";
}

/** A revision of MCP that starts with `initialize`. */
export type LegacyRevision = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25";

/** The legacy revisions, oldest first. */
export const legacyRevisions: Readonly<Record<LegacyRevision, RevisionTraits>> = createTable();

/** Computed by a call, so that a bundler can drop it from a program without MCP. */
function createTable(): Record<LegacyRevision, RevisionTraits> {
  return {
    "2024-11-05": traitsOf("2024-11-05"),
    "2025-03-26": traitsOf("2025-03-26"),
    "2025-06-18": traitsOf("2025-06-18"),
    "2025-11-25": traitsOf("2025-11-25"),
  };
}

function traitsOf(revision: LegacyRevision): RevisionTraits {
  const since = (first: LegacyRevision) => revision >= first;
  return {
    batches: revision === "2025-03-26",
    audio: since("2025-03-26"),
    toolAnnotations: since("2025-03-26"),
    completionCapability: since("2025-03-26"),
    titles: since("2025-06-18"),
    structuredOutput: since("2025-06-18"),
    resourceLinks: since("2025-06-18"),
    completionContext: since("2025-06-18"),
    elicitation: since("2025-06-18"),
    urlElicitation: since("2025-11-25"),
    icons: since("2025-11-25"),
    samplingTools: since("2025-11-25"),
    argumentErrors: since("2025-11-25") ? "tool-result" : "invalid-params",
  };
}

/** The newest revision that starts with `initialize`. */
export const newestLegacyRevision: LegacyRevision = "2025-11-25";

/** Whether a value is one of the {@link legacyRevisions}. */
export function isLegacyRevision(version: unknown): version is LegacyRevision {
  return typeof version === "string" && Object.hasOwn(legacyRevisions, version);
}

/**
 * The revision that a server answers with: the requested one when it is known and not older than
 * `minimum`, else the newest (MCP 2025-11-25, Lifecycle / Version Negotiation).
 */
export function negotiateRevision(requested: unknown, minimum?: LegacyRevision): LegacyRevision {
  const isSupported = isLegacyRevision(requested) && requested >= (minimum ?? requested);
  return isSupported ? requested : newestLegacyRevision;
}
