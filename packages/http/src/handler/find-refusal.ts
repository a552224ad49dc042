import { isObject, nameIn } from "@idewire/core/internal";
import { readsOf, refusalOf } from "./admission.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { JsonBody } from "./json-body.ts";
import type { Admission, NamedMethod } from "./request-head.ts";

/** Why a body, one message or a batch, is refused; undefined when it is accepted. */
export function findRefusal(
  admission: Pick<Admission<unknown>, "refuse">,
  body: unknown,
): HttpRefusal | undefined {
  if (admission.refuse === undefined) return undefined;
  const refusal = refusalOf(admission, asksOf(body));
  return refusal && new HttpRefusal(refusal.status, refusal.message, refusal);
}

/**
 * A `subscriptions/listen` without the resources that its client may not read: the server acknowledges the ones
 * that it reports (MCP 2026-07-28, Subscriptions). If none would remain, the message is returned unchanged, to be
 * refused.
 */
export function withoutUnreadable(
  { refuse }: Pick<Admission<unknown>, "refuse">,
  body: JsonBody,
): JsonBody {
  const { value } = body;
  if (refuse === undefined || !isObject(value) || value["method"] !== LISTEN) return body;
  const params = isObject(value["params"]) ? value["params"] : {};
  const filter = isObject(params["notifications"]) ? params["notifications"] : {};
  const refused = readsOf(value).filter((read) => refuse(read) !== undefined);
  if (refused.length === 0) return body;
  const { [SUBSCRIPTIONS]: wanted, ...rest } = filter;
  const names = new Set<unknown>(refused.map(({ name }) => name));
  const readable = (wanted as readonly unknown[]).filter((uri) => !names.has(uri));
  if (readable.length === 0 && Object.keys(rest).length === 0) return body;
  const notifications = { ...rest, ...(readable.length > 0 && { [SUBSCRIPTIONS]: readable }) };
  return { ...body, value: { ...value, params: { ...params, notifications } } };
}

const LISTEN = "subscriptions/listen";
const SUBSCRIPTIONS = "resourceSubscriptions";

/** All methods and names requested by a body: one message or a batch. */
export function asksOf(body: unknown): readonly NamedMethod[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message): readonly NamedMethod[] => {
    if (!isObject(message) || typeof message["method"] !== "string") return [];
    const name = nameIn(message);
    const own = { method: message["method"], name: typeof name === "string" ? name : undefined };
    return [own, ...readsOf(message)];
  });
}
