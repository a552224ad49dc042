// MCP 2025-11-25, Client / Elicitation: what both ends share.

/** The method's name. */
export const ELICIT = "elicitation/create";
/** The notification's name. */
export const ELICITATION_COMPLETE = "notifications/elicitation/complete";

/** A URL that the person should visit; since 2025-11-25. */
export interface UrlElicitation {
  readonly message: string;
  /** https:, or http: while developing; nothing secret, nothing that lets anybody in. */
  readonly url: string;
  /** Names it until it is complete. */
  readonly elicitationId: string;
}

/** What the person did with a URL; `accept` says only that they agreed to visit it. */
export interface UrlOutcome {
  readonly action: "accept" | "decline" | "cancel";
}

/** Whether a text is an address that a browser may be sent to. */
export function isWebUrl(text: unknown): text is string {
  try {
    return typeof text === "string" && /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
