import type { RequestId, SessionState } from "@idewire/core/internal";
import { describeValue, isLegacyRevision, isObject, legacyRevisions } from "@idewire/core/internal";
import { HttpRefusal } from "./http-refusal.ts";
import type { JsonBody } from "./json-body.ts";
import { accepts, type RequestHead } from "./request-head.ts";

export function isInitialize(message: unknown): boolean {
  return isObject(message) && message["method"] === "initialize";
}

/** The limit of an `initialize` in UTF-16 units: its content is kept as long as the session. */
const MAX_INITIALIZE = 1 << 16;

/** @throws HttpRefusal for an `initialize` above the limit */
export function refuseLargeInitialize({ value, size }: JsonBody): void {
  if (size <= MAX_INITIALIZE || !isInitialize(value)) return;
  const text = `initialize: expected at most ${MAX_INITIALIZE} characters, got ${size}`;
  throw new HttpRefusal(413, `${text}; shorten clientInfo and capabilities`);
}

/** @throws HttpRefusal for a GET whose client does not accept event streams */
export function refuseNoStream(head: RequestHead): void {
  if (head.header("accept") !== undefined && accepts(head, "text/event-stream")) return;
  throw new HttpRefusal(406, "A GET opens a stream: accept text/event-stream");
}

/**
 * @param agreed the revision of the session
 * @throws HttpRefusal for another revision; without the header 2025-03-26 is assumed, as older clients send none
 */
export function refuseRevision(head: RequestHead, agreed?: string): void {
  const revision = head.header("mcp-protocol-version");
  if (revision === undefined || revision === agreed) return;
  if (agreed === undefined && isLegacyRevision(revision)) return;
  const seen = describeValue(revision);
  const expected = agreed ?? `one of ${Object.keys(legacyRevisions).join(", ")}`;
  throw new HttpRefusal(400, `MCP-Protocol-Version: expected ${expected}, got ${seen}`);
}

/**
 * The state of an unknown session that its client continues, from its id; undefined for an id in no format of
 * ours.
 */
export function continuedState(id: string, head: RequestHead): SessionState | undefined {
  const revision = head.header("mcp-protocol-version") ?? "2025-03-26";
  if (!/^[\w-]{1,100}$/.test(id) || !isLegacyRevision(revision)) return undefined;
  return {
    revision,
    clientInfo: { name: "unknown", version: "unknown" },
    ...{ clientCapabilities: {}, initialized: true, settings: {} },
  };
}

/**
 * The status of an answer: 400 if nothing in the body has an id to answer (MCP 2025-11-25, Transports).
 * @param ids the requests in the body
 */
export function statusOfLegacy(text: string, ids: readonly RequestId[]): number {
  return ids.length === 0 || text.startsWith('{"jsonrpc":"2.0","error":') ? 400 : 200;
}
