import { isLegacyRevision, isObject } from "@idewire/core/internal";
import type { RequestHead } from "./request-head.ts";

const prefix = "io.modelcontextprotocol/";
/** The members of `_meta` that each request must have (MCP 2026-07-28, Basic / _meta). */
export const versionKey: string = `${prefix}protocolVersion`;
export const capabilitiesKey: string = `${prefix}clientCapabilities`;

/** Methods that earlier revisions do not have. */
const modernMethods: readonly unknown[] = ["server/discover", "subscriptions/listen"];

/** The `_meta` of a message; undefined when it has none. */
export function metaOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const params = isObject(body) ? body["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) ? meta : undefined;
}

/** Whether a POST is of the modern era, by its head or its body. */
export function isModern(head: RequestHead, body: unknown): boolean {
  const revision = head.header("mcp-protocol-version");
  if (revision !== undefined && isModernRevision(revision)) return true;
  const meta = metaOf(body);
  if (meta !== undefined && (versionKey in meta || capabilitiesKey in meta)) return true;
  return isObject(body) && modernMethods.includes(body["method"]);
}

/** Revisions are dates; anything else is treated as legacy. */
function isModernRevision(revision: string): boolean {
  return !isLegacyRevision(revision) && /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision >= "2026";
}
