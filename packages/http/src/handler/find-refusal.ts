import { isObject, nameIn } from "@idewire/core/internal";
import { Refused } from "./refused.ts";
import type { Admission } from "./request-head.ts";

/** Why a body is not let in, which has one message or a batch of them; undefined when it is. */
export function findRefusal(
  { refuse }: Pick<Admission<unknown>, "refuse">,
  body: unknown,
): Refused | undefined {
  if (refuse === undefined) return undefined;
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isObject(message) || typeof message["method"] !== "string") continue;
    const name = nameIn(message);
    const named = { method: message["method"], name: typeof name === "string" ? name : undefined };
    const refusal = refuse(named);
    if (refusal !== undefined) return new Refused(refusal.status, refusal.message, refusal);
  }
  return undefined;
}
