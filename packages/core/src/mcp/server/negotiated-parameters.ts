import { asObject } from "../../rpc/message.ts";
import type { Implementation } from "../protocol.ts";
import type { LegacyRevision } from "../versions.ts";
import type { SessionState } from "./server-connection.ts";

// Longer announcements, and more of them, are not shared, so that clients cannot fill the memory.
const MAX_KEY_LENGTH = 1000;
const MAX_KEPT = 64;

/**
 * The negotiated parameters: one value for all clients with the same announcement, so that idle connections cost
 * less memory.
 */
export class NegotiatedParameters {
  readonly #kept = new Map<string, SessionState>();

  /** @param announced the client's `capabilities` as received */
  of(revision: LegacyRevision, clientInfo: Implementation, announced: unknown): SessionState {
    const clientCapabilities = asObject(announced);
    const key = JSON.stringify([revision, clientInfo, clientCapabilities]);
    let session = this.#kept.get(key);
    if (session === undefined) {
      session = { revision, clientInfo, clientCapabilities, initialized: false, settings: {} };
      const isKept = key.length <= MAX_KEY_LENGTH && this.#kept.size < MAX_KEPT;
      if (isKept) this.#kept.set(key, session);
    }
    return session;
  }
}
