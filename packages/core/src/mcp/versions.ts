/** What differs between the legacy revisions, as far as a peer must act on it. */
export interface RevisionTraits {
  /** Arrays of messages are understood. */
  readonly batches: boolean;
  /** Content may be sound (Server / Tools, Server / Prompts, Client / Sampling). */
  readonly audio: boolean;
  /** Tools have `annotations` (Server / Tools). */
  readonly toolAnnotations: boolean;
  /** `completion/complete` is a capability, `completions` (Server / Completion). */
  readonly completionCapability: boolean;
  /** What people read has a `title`, and descriptions have `_meta` (Schema / BaseMetadata). */
  readonly titles: boolean;
  /** Tools have `outputSchema`, their results `structuredContent` (Server / Tools). */
  readonly structuredOutput: boolean;
  /** Content may be a link to a resource (Server / Tools). */
  readonly resourceLinks: boolean;
  /** `completion/complete` tells the arguments given so far (Server / Completion). */
  readonly completionContext: boolean;
  /** The server may ask the person by a form (Client / Elicitation). */
  readonly elicitation: boolean;
  /** The server may send the person to a URL, forms may have lists (Client / Elicitation). */
  readonly urlElicitation: boolean;
  /** What people read has `icons`; who one is has a `description` and a `websiteUrl`. */
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

/** In a function, so that a bundler sees that a program without MCP does not need it. */
function createTable(): Record<LegacyRevision, RevisionTraits> {
  const first: RevisionTraits = {
    batches: false,
    audio: false,
    toolAnnotations: false,
    completionCapability: false,
    titles: false,
    structuredOutput: false,
    resourceLinks: false,
    completionContext: false,
    elicitation: false,
    urlElicitation: false,
    icons: false,
    samplingTools: false,
    argumentErrors: "invalid-params",
  };
  const second: RevisionTraits = {
    ...first,
    batches: true,
    audio: true,
    toolAnnotations: true,
    completionCapability: true,
  };
  const third: RevisionTraits = {
    ...second,
    batches: false,
    titles: true,
    structuredOutput: true,
    resourceLinks: true,
    completionContext: true,
    elicitation: true,
  };
  const fourth: RevisionTraits = {
    ...third,
    urlElicitation: true,
    icons: true,
    samplingTools: true,
    argumentErrors: "tool-result",
  };
  return { "2024-11-05": first, "2025-03-26": second, "2025-06-18": third, "2025-11-25": fourth };
}

/** The newest revision that starts with `initialize`. */
export const newestLegacyRevision: LegacyRevision = "2025-11-25";

/** Whether this is a revision of MCP that starts with `initialize`, and that core speaks. */
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
