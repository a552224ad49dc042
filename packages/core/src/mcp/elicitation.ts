// MCP 2025-11-25, Client / Elicitation: what both ends share.

/** The method's name. */
export const ELICIT = "elicitation/create";
/** The notification's name. */
export const ELICITATION_COMPLETE = "notifications/elicitation/complete";

/** A request that the person visit a URL; since 2025-11-25. */
export interface UrlElicitation {
  readonly message: string;
  /** https:, or http: during development; it must contain no secret and grant no access. */
  readonly url: string;
  /**
   * Identifies the elicitation until it is complete, in 2025-11-25, where it is generated if absent; 2026-07-28
   * has none.
   */
  readonly elicitationId?: string;
}

/** The person's answer to a URL; `accept` means only that they agreed to visit it. */
export interface UrlOutcome {
  readonly action: "accept" | "decline" | "cancel";
}

/** Whether a value is an http(s) URL, which may be opened in a browser. */
export function isWebUrl(text: unknown): text is string {
  try {
    return typeof text === "string" && /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
