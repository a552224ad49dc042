import { isObject } from "../../rpc/message.ts";
import type { Capabilities } from "../protocol.ts";
import { type LegacyRevision, legacyRevisions, type RevisionTraits } from "../versions.ts";

// Longer announcements, and more of them, are not shared, so that clients cannot fill the memory.
const MAX_KEY_LENGTH = 1000;
const MAX_KEPT = 64;

/** What `initialize` has negotiated between a server and a client. */
export interface Agreement {
  readonly revision: LegacyRevision;
  readonly traits: RevisionTraits;
  /** The capabilities that the client has announced. */
  readonly clientCapabilities: Capabilities;
}

/**
 * One agreement for all clients that announce the same, so that idle connections cost less memory.
 */
export class NegotiatedParameters {
  readonly #kept = new Map<string, Agreement>();

  /** @param announced the client's `capabilities` as received */
  of(revision: LegacyRevision, announced: unknown): Agreement {
    const clientCapabilities = isObject(announced) ? announced : {};
    const key = revision + JSON.stringify(clientCapabilities);
    let agreement = this.#kept.get(key);
    if (agreement === undefined) {
      agreement = { revision, traits: legacyRevisions[revision], clientCapabilities };
      const isKept = key.length <= MAX_KEY_LENGTH && this.#kept.size < MAX_KEPT;
      if (isKept) this.#kept.set(key, agreement);
    }
    return agreement;
  }
}
