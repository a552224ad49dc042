import { isLegacyRevision, isObject, legacyRevisions } from "@idewire/core/internal";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { Refused } from "./refused.ts";
import { accepts, type RequestHead } from "./request-head.ts";

/** Streamable HTTP of MCP 2025-03-26 to 2025-11-25: what an endpoint does for each method of HTTP. */
export interface LegacyEra<Context> {
  /** The methods that make sense. */
  readonly methods: readonly string[];
  /** @throws Refused, or rejects with it */
  post(incoming: Incoming<Context>, body: JsonBody): void | Promise<void>;
  /** @throws Refused, or rejects with it */
  get(incoming: Incoming<Context>): void | Promise<void>;
  /** @throws Refused, or rejects with it */
  delete(incoming: Incoming<Context>): void | Promise<void>;
  /** Keeps the streams alive, and ends what is unused. */
  sweep?(): void;
  close?(): void;
}

export function isInitialize(message: unknown): boolean {
  return isObject(message) && message["method"] === "initialize";
}

/** How many UTF-16 units an `initialize` may have: what it says is kept as long as the session. */
const MAX_INITIALIZE = 1 << 16;

/** @throws Refused for an `initialize` that says more of the client than is kept */
export function refuseLargeInitialize({ value, size }: JsonBody): void {
  if (size <= MAX_INITIALIZE || !isInitialize(value)) return;
  const text = `initialize: expected at most ${MAX_INITIALIZE} characters, got ${size}`;
  throw new Refused(413, `${text}; shorten clientInfo and capabilities`);
}

/** @throws Refused for a GET by who does not take what it opens */
export function refuseNoStream(head: RequestHead): void {
  if (head.header("accept") !== undefined && accepts(head, "text/event-stream")) return;
  throw new Refused(406, "A GET opens a stream: accept text/event-stream");
}

/**
 * @param agreed what the session speaks
 * @throws Refused for another revision; without the header, older clients mean 2025-03-26
 */
export function refuseRevision(head: RequestHead, agreed?: string): void {
  const revision = head.header("mcp-protocol-version");
  if (revision === undefined || revision === agreed) return;
  if (agreed === undefined && isLegacyRevision(revision)) return;
  const seen = JSON.stringify(revision.slice(0, 60));
  const expected = agreed ?? `one of ${Object.keys(legacyRevisions).join(", ")}`;
  throw new Refused(400, `MCP-Protocol-Version: expected ${expected}, got ${seen}`);
}
