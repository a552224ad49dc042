import { RpcError, RpcErrorCode } from "../errors.ts";
import { describeValue } from "../text/describe-value.ts";
import { isCostly, type JsonLimits, MAX_DEPTH, MAX_VALUES } from "./costly-json.ts";
import type { Redactor } from "./redactor.ts";
import { CLOSING_BRACE } from "./unit-code.ts";

/** A request id of JSON-RPC 2.0; as in MCP, never null. */
export type RequestId = string | number;

/** Named parameters; MCP has no positional ones. */
export type Params = Readonly<Record<string, unknown>>;

/** The error object of JSON-RPC 2.0 section 5.1. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A JSON object as received: its members are unchecked. */
export interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A result that is already JSON text, so that a list that rarely changes is serialised once. */
export class SerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A result that is sent as an error, like a thrown RpcError but without the cost of throwing. */
export class ErrorAnswer implements ErrorObject {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of a value if it is an object; otherwise none. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Whether a value is a valid request id: a string or a finite number. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** Reads and writes the JSON of a conversation. */
export interface JsonCodec {
  /** @throws SyntaxError like `JSON.parse` */
  parse(this: void, text: string): unknown;
  stringify(this: void, value: unknown): string;
}

/** Parses a frame; an ErrorAnswer when it is not JSON or exceeds the limits. */
export function parseFrame(
  frame: string,
  limits: JsonLimits & { readonly json?: JsonCodec },
): unknown {
  if (isCostly(frame, limits)) {
    const { maxValues = MAX_VALUES, maxDepth = MAX_DEPTH } = limits;
    const text = `Parse error: more than ${maxValues} values, or ${maxDepth} levels`;
    return new ErrorAnswer(RpcErrorCode.ParseError, text);
  }
  // A truncated object does not end in a brace or white space. Testing that is ten times cheaper than
  // an exception.
  const last = frame.charCodeAt(frame.length - 1);
  try {
    if (frame[0] === "{" ? last === CLOSING_BRACE || last <= 32 : frame) {
      return limits.json === undefined ? JSON.parse(frame) : limits.json.parse(frame);
    }
  } catch {
    // Reported below, like a truncated frame.
  }
  return new ErrorAnswer(
    RpcErrorCode.ParseError,
    `Parse error: ${frame.length} characters that are not JSON`,
  );
}

// JSON.stringify omits members that are undefined.

/** Formats the frame of a request. */
export function formatRequest(
  id: RequestId,
  method: string,
  params?: Params,
  json: JsonCodec = JSON,
): string {
  return json.stringify({ jsonrpc: "2.0", id, method, params });
}

/** Formats the frame of a notification. */
export function formatNotification(
  method: string,
  params?: Params,
  json: JsonCodec = JSON,
): string {
  return json.stringify({ jsonrpc: "2.0", method, params });
}

/** @throws TypeError or RangeError when the result cannot be written as JSON */
export function formatResult(id: RequestId, result: unknown): string {
  if (result instanceof SerializedJson) {
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.json}}`;
  }
  if (result instanceof ErrorAnswer) return formatError(id, result);
  if (typeof result === "function" || typeof result === "symbol") {
    throw new TypeError(`A ${typeof result} cannot be written as JSON`);
  }
  return JSON.stringify({ jsonrpc: "2.0", id, result: result === undefined ? {} : result });
}

/** @param id null if unknown; undefined to omit it */
export function formatError(id: RequestId | null | undefined, error: ErrorObject): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/**
 * The error for an error object; undefined if it is not an error object.
 * @param options the cause of the error, if it has one
 */
export function toRpcError(
  error: unknown,
  options?: { readonly cause?: unknown },
): RpcError | undefined {
  const { code, message, data } = asObject(error);
  if (typeof code !== "number") return undefined;
  const words = typeof message === "string" ? message : describeValue(message);
  return new RpcError(code, words, data, options);
}

/**
 * The problem with the envelope of a request or notification, or with the depth of its parameters; undefined
 * for a valid one.
 * @param redactor keeps secrets out of it
 */
export function findFault(
  { jsonrpc, id, method, params }: RawMessage,
  maxDepth: number = MAX_DEPTH,
  redactor?: Partial<Redactor>,
): ErrorObject | undefined {
  const shown = (value: unknown) => describeValue(value, redactor);
  if (jsonrpc !== "2.0") {
    return invalidRequest(`"jsonrpc" must be "2.0", got ${shown(jsonrpc)}`);
  }
  if (typeof method !== "string") {
    return invalidRequest(`"method" must be a string, got ${shown(method)}`);
  }
  if (id !== undefined && !isRequestId(id)) {
    return invalidRequest(`"id" must be a string or number, got ${shown(id)}`);
  }
  if (params === undefined) return undefined;
  if (!isObject(params)) return invalidParams(`expected an object, got ${shown(params)}`);
  // Deep nesting overflows the stack, so depth is limited.
  if (maxDepth > 1000 || !hasLevel(params, maxDepth)) return undefined;
  return invalidParams(`expected at most ${maxDepth} levels, got more`);
}

function invalidParams(what: string): ErrorObject {
  return new ErrorAnswer(RpcErrorCode.InvalidParams, `Invalid params: ${what}`);
}

/** Whether values are nested this deep; the first level is 1. */
function hasLevel(value: unknown, level: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (level < 2) return true;
  for (const name in value) {
    if (hasLevel((value as Readonly<Record<string, unknown>>)[name], level - 1)) return true;
  }
  return false;
}

/** The error for a message that is not a valid request. */
export function invalidRequest(what: string): ErrorObject {
  return new ErrorAnswer(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The error for an unknown method; returned, not thrown, since agents probe for methods. */
export function methodNotFound(method: string): ErrorAnswer {
  return new ErrorAnswer(RpcErrorCode.MethodNotFound, `Method not found: ${describeValue(method)}`);
}
