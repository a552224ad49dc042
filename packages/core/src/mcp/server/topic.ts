import type { Params } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { invalidParams } from "../refusals.ts";
import type { Caller } from "./caller.ts";

/** How many entries a list in a filter may have. */
const MAX_TEXTS = 1000;

/** One member of a filter of `subscriptions/listen`: what it stands for, and what of it the server offers. */
export interface Topic {
  /** The method of its notifications. */
  readonly method: string;
  /**
   * What of the wanted is offered, or a promise of that; undefined when nothing is.
   * @throws RpcError when it cannot be asked for
   */
  narrow(wanted: unknown, caller: Caller): unknown;
  /** Whether a notification is wanted by what {@link Topic.narrow} has returned. */
  matches(accepted: unknown, params: Params | undefined): boolean;
}

/**
 * A member of a filter that is a list of texts.
 * @throws RpcError -32602 for another value, and for too long a list
 */
export function textsOf(name: string, wanted: unknown): readonly string[] {
  if (!Array.isArray(wanted) || !wanted.every((each) => typeof each === "string")) {
    throw invalidParams(`${name}: expected a list of texts, got ${describeValue(wanted)}`);
  }
  if (wanted.length <= MAX_TEXTS) return wanted;
  throw invalidParams(`${name}: at most ${MAX_TEXTS}, got ${wanted.length}`);
}
