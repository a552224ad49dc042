import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { describeValue, isObject, type Params } from "../../../rpc/message.ts";
import {
  ELICIT,
  ELICITATION_COMPLETE,
  isWebUrl,
  type UrlElicitation,
  type UrlOutcome,
} from "../../elicitation.ts";
import { findFormFault } from "../../elicitation-form.ts";
import type { ToolInput } from "../../schemas/tool-input.ts";
import {
  type AskOptions,
  type Caller,
  type ClientOf,
  callerOf,
  missingCapability,
  type Question,
} from "../caller.ts";
import { randomId } from "../random-id.ts";
import { ask } from "./ask.ts";

// MCP 2025-11-25, Client / Elicitation: the server's end.

/** How the person answered: accepted with content, declined, or dismissed the request. */
export type ElicitOutcome<T> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/**
 * Asks the person by a form, which must not ask for secrets. A form is a tool input whose members are
 * strings, numbers, booleans and enumerations.
 * @throws IdewireError `protocol`, before anything is sent, when the client does not support forms (RpcError
 * -32021 in the modern era); and for an answer that does not match; `invalid-argument` for a form that
 * the revision does not support
 */
export function elicit<T>(
  client: ClientOf,
  { message, form }: { readonly message: string; readonly form: ToolInput<T> },
  options?: AskOptions,
): Promise<ElicitOutcome<T>> {
  const toQuestion = (caller: Caller): Question<ElicitOutcome<T>> => {
    const { traits } = caller;
    requireMode(caller, "form");
    const fault = findFormFault(form.jsonSchema, traits);
    if (fault !== undefined) throw new IdewireError("invalid-argument", `${ELICIT}: ${fault}`);
    const mode = traits.urlElicitation && { mode: "form" };
    const params = { ...mode, message, requestedSchema: form.jsonSchema };
    return { method: ELICIT, params, parse: (answer) => parseOutcome(form, answer) };
  };
  return ask(client, { capability: "elicitation", toQuestion }, options);
}

/**
 * Asks the person to visit a URL; since 2025-11-25, where {@link completeElicitation} says that they are
 * done.
 * @throws IdewireError `protocol`, before anything is sent, when the client does not support URLs (RpcError
 * -32021 in the modern era); `invalid-argument` for a URL that is not http(s)
 */
export function elicitUrl(
  client: ClientOf,
  elicitation: UrlElicitation,
  options?: AskOptions,
): Promise<UrlOutcome> {
  const toQuestion = (caller: Caller): Question<UrlOutcome> => {
    requireMode(caller, "url");
    return { method: ELICIT, params: toUrlParams(caller, elicitation), parse: parseAction };
  };
  return ask(client, { capability: "elicitation", toQuestion }, options);
}

/** Notifies the client that the person has finished at a URL; nothing happens where there are no ids. */
export function completeElicitation(client: ClientOf, elicitationId: string): void {
  const caller = callerOf(client);
  requireMode(caller, "url");
  if (caller.traits.elicitationIds) caller.notify(ELICITATION_COMPLETE, { elicitationId });
}

/**
 * The error -32042 of 2025-11-25, for a handler to throw when the person has to visit some URLs first; the
 * client then repeats the request. {@link elicitUrl} does for 2026-07-28 as well.
 * @throws IdewireError `protocol` when the client or its revision does not support that
 */
export function urlElicitationRequired(
  client: ClientOf,
  elicitations: readonly [UrlElicitation, ...UrlElicitation[]],
): RpcError {
  const caller = callerOf(client);
  requireMode(caller, "url");
  if (!caller.traits.elicitationIds) {
    const text = `${caller.revision} has no error for URLs to visit: ask by elicitUrl`;
    throw new IdewireError("protocol", text);
  }
  return new RpcError(
    RpcErrorCode.UrlElicitationRequired,
    elicitations.map(({ message }) => message).join("; "),
    { elicitations: elicitations.map((elicitation) => toUrlParams(caller, elicitation)) },
  );
}

/** An empty capability means forms, the only mode before 2025-11-25. */
function requireMode(caller: Caller, mode: "form" | "url"): void {
  const { traits, clientCapabilities, initialized } = caller;
  const { elicitation } = clientCapabilities;
  const able = isObject(elicitation) ? elicitation : undefined;
  const hasMode =
    mode === "url"
      ? traits.urlElicitation && able?.["url"] !== undefined
      : able !== undefined &&
        (!traits.urlElicitation || able["form"] !== undefined || !able["url"]);
  if (initialized && traits.elicitation && hasMode) return;
  const what = `${ELICIT} requires a client with elicitation.${mode}`;
  throw missingCapability(caller, { elicitation: { [mode]: {} } }, what);
}

function toUrlParams({ traits }: Caller, { message, url, elicitationId }: UrlElicitation): Params {
  if (!isWebUrl(url)) {
    const text = `expected an http(s) URL, got ${describeValue(url)}`;
    throw new IdewireError("invalid-argument", text);
  }
  const id = traits.elicitationIds && { elicitationId: elicitationId ?? randomId() };
  return { mode: "url", message, url, ...id };
}

function parseOutcome<T>(form: ToolInput<T>, answer: unknown): ElicitOutcome<T> {
  const { action } = parseAction(answer);
  if (action !== "accept") return { action };
  const content = form.parse((answer as { content?: unknown }).content);
  if (content.ok) return { action, content: content.value };
  throw new IdewireError(
    "protocol",
    `The client's answer to ${ELICIT} does not match the form: ${content.issue}`,
  );
}

function parseAction(answer: unknown): UrlOutcome {
  const action = isObject(answer) ? answer["action"] : undefined;
  if (action === "accept" || action === "decline" || action === "cancel") return { action };
  throw badResult("client", ELICIT, answer);
}
