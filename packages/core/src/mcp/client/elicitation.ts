import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import type { SchemaValidator } from "../../json-schema/validator.ts";
import { requireFunction } from "../../misuse.ts";
import { type ParseResult, parsed } from "../../parse-result.ts";
import type { Call } from "../../rpc/call.ts";
import { isObject, methodNotFound, type Params } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { ELICIT, isWebUrl, type UrlElicitation, type UrlOutcome } from "../elicitation.ts";
import { type FormContent, findFormFault, formDefaults } from "../elicitation-form.ts";
import type { ObjectSchema } from "../protocol.ts";
import { invalidParams } from "../refusals.ts";
import { type RevisionTraits, revisions } from "../versions.ts";
import type { ClientFeature, ClientSession } from "./feature.ts";

// MCP 2025-11-25, Client / Elicitation: the client's end.

/** A form to show, together with the name of the server, `session.server.serverInfo`. */
export interface FormRequest {
  readonly message: string;
  readonly schema: ObjectSchema;
  /** The initial values of the fields. */
  readonly defaults: FormContent;
  /** Validates content against the form; without a validator all content is valid. */
  check(content: unknown): ParseResult<unknown>;
}

/** The person's answer. Fields that `content` leaves out have their default values. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: FormContent }
  | { readonly action: "decline" | "cancel" };

export interface ElicitationOptions {
  /** Shows a form; the person must be able to refuse. */
  readonly form?: (
    request: FormRequest,
    call: Call,
    session: ClientSession,
  ) => FormAnswer | Promise<FormAnswer>;
  /** Shows the whole URL, and opens it only if the person agrees; since 2025-11-25. */
  readonly url?: (
    request: UrlElicitation,
    call: Call,
    session: ClientSession,
  ) => UrlOutcome | Promise<UrlOutcome>;
  /** Validates answers before they are sent. */
  readonly validator?: SchemaValidator;
}

/**
 * Lets servers ask the person by forms, by URLs, or by both.
 * @throws IdewireError `invalid-argument` when both are absent
 */
export function elicitation(options: ElicitationOptions): ClientFeature {
  const { form, url } = options;
  if (form === undefined && url === undefined) {
    throw new IdewireError("invalid-argument", "elicitation needs form, url or both");
  }
  if (form !== undefined) requireFunction("elicitation, form", form);
  if (url !== undefined) requireFunction("elicitation, url", url);
  const modes = { ...(form && { form: {} }), ...(url && { url: {} }) };
  return {
    capabilities(revision) {
      const traits = revisions[revision];
      if (traits.urlElicitation) return { elicitation: modes };
      return traits.elicitation && form !== undefined ? { elicitation: {} } : {};
    },
    requests: { [ELICIT]: (call, session) => answer(options, call, session) },
  };
}

/**
 * The URLs that the person has to visit before a request can be repeated, if that is why it was
 * refused; undefined for any other error.
 */
export function requiredElicitations(error: unknown): readonly UrlElicitation[] | undefined {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.UrlElicitationRequired) {
    return undefined;
  }
  const list = isObject(error.data) ? error.data["elicitations"] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item) => (isUrlElicitation(item) ? [item] : []));
}

function answer(options: ElicitationOptions, call: Call, session: ClientSession): unknown {
  const traits = revisions[session.revision];
  if (!traits.elicitation) return methodNotFound(call.method);
  const params = session.redact(call.params ?? {});
  const mode = params["mode"] ?? "form";
  if (typeof params["message"] !== "string") {
    throw invalidParams(`message: expected string, got ${describeValue(params["message"])}`);
  }
  if (mode === "form" && options.form !== undefined) {
    const request = parseForm(params, session, options.validator);
    return finish(request, options.form(request, call, session));
  }
  if (mode === "url" && options.url !== undefined && traits.urlElicitation) {
    return options.url(parseUrlElicitation(params, traits), call, session);
  }
  throw invalidParams(`mode: not supported by this client, got ${describeValue(mode)}`);
}

function parseUrlElicitation(params: Params, { elicitationIds }: RevisionTraits): UrlElicitation {
  const { message, url, elicitationId } = params;
  if (!elicitationIds && isWebUrl(url)) return { message: String(message), url };
  if (typeof elicitationId === "string" && isWebUrl(url)) {
    return { message: String(message), url, elicitationId };
  }
  const expected = elicitationIds ? "an http(s) URL and an elicitationId" : "an http(s) URL";
  throw invalidParams(`url: expected ${expected}, got ${describeValue(url)}`);
}

function parseForm(
  params: Params,
  { revision }: ClientSession,
  validator: SchemaValidator | undefined,
): FormRequest {
  const { message, requestedSchema } = params;
  const fault = findFormFault(requestedSchema, revisions[revision]);
  if (fault !== undefined) throw invalidParams(`requestedSchema: ${fault}`);
  const schema = requestedSchema as ObjectSchema;
  return {
    message: message as string,
    schema,
    defaults: formDefaults(schema),
    check: validator === undefined ? parsed : validator.compile(schema),
  };
}

function finish(request: FormRequest, given: FormAnswer | Promise<FormAnswer>): unknown {
  if (given instanceof Promise) return given.then((late) => finish(request, late));
  if (given.action !== "accept") return { action: given.action };
  const content = { ...request.defaults, ...given.content };
  const result = request.check(content);
  if (result.ok) return { action: given.action, content };
  throw new IdewireError("invalid-argument", `The answer does not match the form: ${result.issue}`);
}

function isUrlElicitation(value: unknown): value is Required<UrlElicitation> {
  if (!isObject(value)) return false;
  const { message, url, elicitationId } = value;
  return typeof message === "string" && typeof elicitationId === "string" && isWebUrl(url);
}
