import { isObject } from "@idewire/core";
import { Refused } from "./refused.ts";
import type { Admission } from "./request-head.ts";

/** The member of the parameters that says which one is asked for, by method. */
const namedBy: ReadonlyMap<unknown, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Which tool, prompt, resource or task a message names; whatever is there. */
export function nameIn({ method, params }: Readonly<Record<string, unknown>>): unknown {
  const member = namedBy.get(method);
  return member !== undefined && isObject(params) ? params[member] : undefined;
}

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
