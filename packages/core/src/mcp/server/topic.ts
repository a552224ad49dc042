import type { Params } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { invalidParams } from "../refusals.ts";
import type { Caller } from "./caller.ts";

/** How many entries a list in a filter may have. */
const MAX_TEXTS = 1000;

/** One member of a filter of `subscriptions/listen`: its notifications, and the part that the server supports. */
export interface Topic {
  /** The method of its notifications. */
  readonly method: string;
  /**
   * The supported part of a request, or a promise of it; undefined if nothing is supported.
   * @throws RpcError when it cannot be requested
   */
  narrow(wanted: unknown, caller: Caller): unknown;
  /** Whether a notification matches the result of {@link Topic.narrow}. */
  matches(accepted: unknown, params: Params | undefined): boolean;
}

/**
 * Parses a member of a filter that is an array of strings.
 * @throws RpcError -32602 for another value, and for too long a list
 */
export function textsOf(name: string, wanted: unknown): readonly string[] {
  if (!Array.isArray(wanted) || !wanted.every((each) => typeof each === "string")) {
    throw invalidParams(`${name}: expected a list of texts, got ${describeValue(wanted)}`);
  }
  if (wanted.length <= MAX_TEXTS) return wanted;
  throw invalidParams(`${name}: at most ${MAX_TEXTS}, got ${wanted.length}`);
}
