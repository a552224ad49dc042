import { isObject, nameIn } from "@idewire/core/internal";
import { readsOf, refusalOf } from "./admission.ts";
import { Refused } from "./refused.ts";
import type { Admission, NamedMethod } from "./request-head.ts";

/** Why a body is not let in, which has one message or a batch of them; undefined when it is. */
export function findRefusal(
  admission: Pick<Admission<unknown>, "refuse">,
  body: unknown,
): Refused | undefined {
  if (admission.refuse === undefined) return undefined;
  const refusal = refusalOf(admission, asksOf(body));
  return refusal && new Refused(refusal.status, refusal.message, refusal);
}

/** All that a body asks for, be it one message or a batch. */
export function asksOf(body: unknown): readonly NamedMethod[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message): readonly NamedMethod[] => {
    if (!isObject(message) || typeof message["method"] !== "string") return [];
    const name = nameIn(message);
    const own = { method: message["method"], name: typeof name === "string" ? name : undefined };
    return [own, ...readsOf(message)];
  });
}
