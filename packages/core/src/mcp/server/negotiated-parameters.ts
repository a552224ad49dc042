import { isObject } from "../../rpc/message.ts";
import type { Capabilities } from "../protocol.ts";
import { type LegacyRevision, legacyRevisions, type RevisionTraits } from "../versions.ts";

/** Longer announcements, and more of them, are not kept for others: nobody may fill the memory. */
const MAX_KEY_LENGTH = 1000;
const MAX_KEPT = 64;

/** What `initialize` settled between a server and a client. */
export interface Agreement {
  readonly revision: LegacyRevision;
  readonly traits: RevisionTraits;
  /** What the client has announced that it can do. */
  readonly clientCapabilities: Capabilities;
}

/** Agreements, one for all clients that said the same: an idle connection holds none of its own. */
export class NegotiatedParameters {
  readonly #kept = new Map<string, Agreement>();

  /** @param announced the client's `capabilities`, as they came */
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
