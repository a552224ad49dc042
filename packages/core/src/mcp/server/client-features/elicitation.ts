import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { describeValue, isObject } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import {
  ELICIT,
  ELICITATION_COMPLETE,
  isWebUrl,
  type UrlElicitation,
  type UrlOutcome,
} from "../../elicitation.ts";
import { findFormFault } from "../../elicitation-form.ts";
import { badResult } from "../../refusals.ts";
import type { ToolInput } from "../../schemas/tool-input.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";
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
 * @throws IdewireError `protocol`, before anything is sent, when the client does not support forms; and
 * for an answer that does not match; `invalid-argument` for a form that the revision does not support
 */
export async function elicit<T>(
  client: ClientOf,
  { message, form }: { readonly message: string; readonly form: ToolInput<T> },
  options?: RequestOptions,
): Promise<ElicitOutcome<T>> {
  const { traits } = connectionOf(client);
  requireMode(client, "form");
  const fault = findFormFault(form.jsonSchema, traits);
  if (fault !== undefined) throw new IdewireError("invalid-argument", `${ELICIT}: ${fault}`);
  const params = {
    ...(traits.urlElicitation && { mode: "form" }),
    message,
    requestedSchema: form.jsonSchema,
  };
  const answer = await ask(client, ELICIT, params, options);
  const { action } = parseAction(answer);
  if (action !== "accept") return { action };
  const content = form.parse((answer as { content?: unknown }).content);
  if (content.ok) return { action, content: content.value };
  throw new IdewireError(
    "protocol",
    `The client's answer to ${ELICIT} does not match the form: ${content.issue}`,
  );
}

/**
 * Asks the person to visit a URL; since 2025-11-25. Call {@link completeElicitation} when they are done.
 * @throws IdewireError `protocol`, before anything is sent, when the client does not support URLs;
 * `invalid-argument` for a URL that is not http(s)
 */
export async function elicitUrl(
  client: ClientOf,
  elicitation: UrlElicitation,
  options?: RequestOptions,
): Promise<UrlOutcome> {
  requireMode(client, "url");
  requireWebUrl(elicitation.url);
  return parseAction(await ask(client, ELICIT, { mode: "url", ...elicitation }, options));
}

/** Notifies the client that the person has finished at a URL. */
export function completeElicitation(client: ClientOf, elicitationId: string): void {
  requireMode(client, "url");
  connectionOf(client).peer.notify(ELICITATION_COMPLETE, { elicitationId });
}

/**
 * The error -32042, for a handler to throw when the person has to visit some URLs first; the client then
 * repeats the request.
 * @throws IdewireError `protocol` when the client does not support URLs
 */
export function urlElicitationRequired(
  client: ClientOf,
  elicitations: readonly [UrlElicitation, ...UrlElicitation[]],
): RpcError {
  requireMode(client, "url");
  for (const { url } of elicitations) requireWebUrl(url);
  return new RpcError(
    RpcErrorCode.UrlElicitationRequired,
    elicitations.map(({ message }) => message).join("; "),
    { elicitations: elicitations.map((elicitation) => ({ mode: "url", ...elicitation })) },
  );
}

/** An empty capability means forms, the only mode before 2025-11-25. */
function requireMode(client: ClientOf, mode: "form" | "url"): void {
  const { traits, clientCapabilities, initialized } = connectionOf(client);
  const { elicitation } = clientCapabilities;
  const able = isObject(elicitation) ? elicitation : undefined;
  const hasMode =
    mode === "url"
      ? traits.urlElicitation && able?.["url"] !== undefined
      : able !== undefined &&
        (!traits.urlElicitation || able["form"] !== undefined || !able["url"]);
  if (initialized && traits.elicitation && hasMode) return;
  throw new IdewireError("protocol", `${ELICIT} requires a client with elicitation.${mode}`);
}

function requireWebUrl(url: string): void {
  if (isWebUrl(url)) return;
  throw new IdewireError("invalid-argument", `expected an http(s) URL, got ${describeValue(url)}`);
}

function parseAction(answer: unknown): UrlOutcome {
  const action = isObject(answer) ? answer["action"] : undefined;
  if (action === "accept" || action === "decline" || action === "cancel") return { action };
  throw badResult("client", ELICIT, answer);
}
