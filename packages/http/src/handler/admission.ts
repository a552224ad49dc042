import { isObject, type RequestTarget } from "@idewire/core/internal";
import { quoteHeader } from "./encode-headers.ts";
import type { Admission, AuthorizationRefusal, NamedMethod } from "./request-head.ts";
import type { Responder } from "./responder.ts";
import { MAX_TIMER_MS, unref } from "./timers.ts";

/** The parts of an authorized request that its streams depend on. */
export type StreamAdmission = Pick<
  Admission<unknown>,
  "expiresAtMs" | "isValid" | "refuse" | "scopes" | "challenge"
>;

/** Ends a stream when the credential of its request is no longer valid. */
export function endWithCredential(
  { expiresAtMs, isValid }: StreamAdmission,
  responder: Responder,
  checkMs: number,
): void {
  let expiring: ReturnType<typeof setTimeout> | undefined;
  const expire = () => {
    const leftMs = (expiresAtMs ?? Number.POSITIVE_INFINITY) - Date.now();
    if (leftMs <= 0) responder.end();
    else if (expiresAtMs !== undefined) {
      expiring = unref(setTimeout(expire, Math.min(leftMs, MAX_TIMER_MS)));
    }
  };
  const check = async () => {
    if (!(await isValid?.())) responder.end();
  };
  // An unreachable authorization server revokes nothing.
  const checking = isValid && unref(setInterval(() => check().catch(() => undefined), checkMs));
  responder.onClose(() => {
    clearTimeout(expiring);
    clearInterval(checking);
  });
  expire();
}

const READ = "resources/read";
/** The start of every frame that reports a changed resource. */
const UPDATED = '{"jsonrpc":"2.0","method":"notifications/resources/updated"';

/** Whether a frame may be sent to a client: changes are reported only to clients that may read the resource. */
export function maySend({ refuse }: StreamAdmission, frame: string): boolean {
  if (refuse === undefined || !frame.startsWith(UPDATED)) return true;
  const { params } = JSON.parse(frame) as { readonly params?: { readonly uri?: unknown } };
  return (
    typeof params?.uri !== "string" || refuse({ method: READ, name: params.uri }) === undefined
  );
}

/** Why a client may not make a request; undefined when it may. */
export function refusalOf(
  admission: StreamAdmission,
  asks: readonly RequestTarget[],
): AuthorizationRefusal | undefined {
  const { refuse, scopes: own = [] } = admission;
  for (const { method, name, scopes: needed = [] } of asks) {
    const refusal = refuse?.({ method, name });
    if (refusal !== undefined) return refusal;
    if (!needed.every((scope) => own.includes(scope))) return challengeOf(admission, needed);
  }
  return undefined;
}

/** The refusal of a request that needs other scopes (RFC 6750, section 3.1). */
export function challengeOf(
  { challenge }: StreamAdmission,
  needed: readonly string[],
): AuthorizationRefusal {
  if (challenge !== undefined) return challenge(needed);
  const scope = quoteHeader(needed.join(" "));
  return {
    status: 403,
    message: "More scopes are needed",
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope=${scope}` },
  };
}

/**
 * What a client must be allowed to read or get for a message that leads to it: the resources to which it subscribes,
 * since their changes are reported, and the prompt or template whose arguments it completes.
 */
export function readsOf({ method, params }: Readonly<Record<string, unknown>>): NamedMethod[] {
  if (!isObject(params)) return [];
  const filter = isObject(params["notifications"]) ? params["notifications"] : {};
  const { type, name, uri } = isObject(params["ref"]) ? params["ref"] : {};
  const isPrompt = method === "completion/complete" && type === "ref/prompt";
  const wanted = {
    "resources/subscribe": [params["uri"]],
    "subscriptions/listen": filter["resourceSubscriptions"],
    "completion/complete": isPrompt ? [name] : [uri],
  }[String(method)];
  const targets = Array.isArray(wanted) ? (wanted as readonly unknown[]) : [];
  const needed = isPrompt ? "prompts/get" : READ;
  return targets.flatMap((target) =>
    typeof target === "string" ? [{ method: needed, name: target }] : [],
  );
}
