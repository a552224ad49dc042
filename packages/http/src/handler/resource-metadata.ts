import { HttpRefusal } from "./http-refusal.ts";
import type { RequestHead } from "./request-head.ts";

/** The metadata of an OAuth protected resource (RFC 9728). */
export interface ResourceMetadata {
  /** The address of the MCP server. */
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly [member: string]: unknown;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/**
 * The answer to a request for the metadata, which everybody may read: at the well-known path followed by the
 * resource's path, and at the root. Undefined for any other request.
 */
export function answerWithMetadata(
  { method, path }: RequestHead,
  metadata: ResourceMetadata | undefined,
): HttpRefusal | undefined {
  if (metadata === undefined || !path.startsWith(WELL_KNOWN)) return undefined;
  const rest = path.slice(WELL_KNOWN.length);
  const isOurs = rest === "" || rest === new URL(metadata.resource).pathname;
  if (!isOurs || (method !== "GET" && method !== "HEAD")) return undefined;
  return new HttpRefusal(200, "", { document: metadata });
}
