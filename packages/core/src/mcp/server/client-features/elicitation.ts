import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import {
  ELICIT,
  ELICITATION_COMPLETE,
  isWebUrl,
  type UrlElicitation,
  type UrlOutcome,
} from "../../elicitation.ts";
import { findFormFault } from "../../elicitation-form.ts";
import { type CompiledInput, compileInput } from "../../schemas/compile-schema.ts";
import type { InferOutput, InputSchema } from "../../schemas/infer.ts";
import { type AskOptions, type Caller, missingCapability, type Question } from "../caller.ts";
import { randomId } from "../random-id.ts";
import { type Asker, ask } from "./ask.ts";

// MCP 2025-11-25, Client / Elicitation: the server's end.

/** How the person answered: accepted with content, declined, or dismissed the request. */
export type ElicitOutcome<T> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** Asks the person by a form: `ServerCall.ask`. */
export function elicit<Form extends InputSchema>(
  asker: Asker,
  message: string,
  form: Form,
  options?: AskOptions,
): Promise<ElicitOutcome<InferOutput<Form>>> {
  const toQuestion = (caller: Caller): Question<ElicitOutcome<InferOutput<Form>>> => {
    const { traits } = caller;
    requireMode(caller, "form");
    const compiled = compileInput("The form", form);
    const { jsonSchema, load } = compiled;
    const fault = findFormFault(jsonSchema, traits);
    if (fault !== undefined) throw new IdewireError("invalid-argument", `${ELICIT}: ${fault}`);
    const mode = traits.urlElicitation && { mode: "form" };
    const params = { ...mode, message, requestedSchema: jsonSchema };
    const parse = (answer: unknown) => parseOutcome(compiled, answer);
    return { method: ELICIT, params, ...(load && { load }), parse };
  };
  return ask(asker, { capability: "elicitation", toQuestion }, options);
}

/** Asks the person to visit a URL: `ServerCall.askUrl`. */
export function elicitUrl(
  asker: Asker,
  elicitation: UrlElicitation,
  options?: AskOptions,
): Promise<UrlOutcome> {
  const toQuestion = (caller: Caller): Question<UrlOutcome> => {
    requireMode(caller, "url");
    return { method: ELICIT, params: toUrlParams(caller, elicitation), parse: parseAction };
  };
  return ask(asker, { capability: "elicitation", toQuestion }, options);
}

/** Notifies the client that the person has finished at a URL; nothing is sent where URLs have no ids. */
export function completeElicitation(caller: Caller, elicitationId: string): void {
  requireMode(caller, "url");
  if (caller.traits.elicitationIds) caller.notify(ELICITATION_COMPLETE, { elicitationId });
}

/** The error -32042 of 2025-11-25: `ServerCall.urlsRequired`. */
export function urlElicitationRequired(
  caller: Caller,
  elicitations: readonly [UrlElicitation, ...UrlElicitation[]],
): RpcError {
  requireMode(caller, "url");
  if (!caller.traits.elicitationIds) {
    const text = `${caller.revision} has no error for URLs to visit: ask by askUrl`;
    throw new IdewireError("protocol", text);
  }
  return new RpcError(
    RpcErrorCode.UrlElicitationRequired,
    elicitations.map(({ message }) => message).join("; "),
    { elicitations: elicitations.map((elicitation) => toUrlParams(caller, elicitation)) },
  );
}

/** Whether the person can be asked in a mode. An empty capability means forms, the only mode before 2025-11-25. */
export function hasElicitation(caller: Caller, mode: "form" | "url"): boolean {
  const { traits, clientCapabilities, initialized } = caller;
  const { elicitation } = clientCapabilities;
  if (!initialized || !traits.elicitation || !isObject(elicitation)) return false;
  const { form, url } = elicitation as { readonly form?: unknown; readonly url?: unknown };
  if (mode === "url") return traits.urlElicitation && url !== undefined;
  return !traits.urlElicitation || form !== undefined || !url;
}

function requireMode(caller: Caller, mode: "form" | "url"): void {
  if (hasElicitation(caller, mode)) return;
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

function parseOutcome<T>(form: CompiledInput<T>, answer: unknown): ElicitOutcome<T> {
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
