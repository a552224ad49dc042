import { RpcErrorCode } from "../errors.ts";
import { isCostly, type JsonLimits } from "./costly-json.ts";

/** A request id of JSON-RPC 2.0 as MCP narrows it: never null. */
export type RequestId = string | number;

/** Named parameters: MCP knows no positional ones. */
export type Params = Readonly<Record<string, unknown>>;

/** The error object of JSON-RPC 2.0 section 5.1. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Any JSON object as it comes from the wire: nothing about its members is known. */
export interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * A result that is JSON text already: it goes into the answer as it is, so that a list that never
 * changes is serialised once.
 */
export class SerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A result that is an error: what an RpcError that is thrown does, without the cost of throwing. */
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

/** Whether a value may be a request's id: a string or a finite number. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** Whether a message is an answer: it has no method, and a result or an error. */
export function isResponse(message: RawMessage): boolean {
  return message.method === undefined && ("result" in message || "error" in message);
}

/** What a frame says, or that it is not JSON, or none that anybody should have to parse. */
export function parseFrame(frame: string, limits: JsonLimits): unknown {
  if (isCostly(frame, limits)) {
    return new ErrorAnswer(
      RpcErrorCode.ParseError,
      "Parse error: the message has more values, or more levels, than any message needs",
    );
  }
  // What was cut off ends in no brace, nor in the space after one: to throw costs ten times as much.
  const last = frame.charCodeAt(frame.length - 1);
  try {
    if (frame[0] === "{" ? last === 125 || last <= 32 : frame) return JSON.parse(frame);
  } catch {
    // Told below, as of what was cut off.
  }
  return new ErrorAnswer(
    RpcErrorCode.ParseError,
    `Parse error: a frame of ${frame.length} characters is not JSON`,
  );
}

// A member that is undefined is left out by JSON.stringify.

/** The frame of a request. */
export function formatRequest(id: RequestId, method: string, params?: Params): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** The frame of a notification. */
export function formatNotification(method: string, params?: Params): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
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

export function formatError(id: RequestId | null, error: ErrorObject): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** A short picture of a value for an error message: JSON, cut at 60 units; never a whole file. */
export function describeValue(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch {
    text = "what cannot be written as JSON";
  }
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** What is wrong with the envelope of a request or notification; undefined when it is right. */
export function findFault({ jsonrpc, id, method, params }: RawMessage): ErrorObject | undefined {
  if (jsonrpc !== "2.0") {
    return invalidRequest(`"jsonrpc" must be "2.0", got ${describeValue(jsonrpc)}`);
  }
  if (typeof method !== "string") {
    return invalidRequest(`"method" must be a string, got ${describeValue(method)}`);
  }
  if (id !== undefined && !isRequestId(id)) {
    return invalidRequest(`"id" must be a string or number, got ${describeValue(id)}`);
  }
  if (params !== undefined && !isObject(params)) {
    return new ErrorAnswer(
      RpcErrorCode.InvalidParams,
      `Invalid params: expected an object, got ${describeValue(params)}`,
    );
  }
  return undefined;
}

/** The error that answers what is no request. */
export function invalidRequest(what: string): ErrorObject {
  return new ErrorAnswer(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The answer to a request whose method nobody handles: agents probe, so that it is no exception. */
export function methodNotFound(method: string): ErrorAnswer {
  return new ErrorAnswer(RpcErrorCode.MethodNotFound, `Method not found: ${describeValue(method)}`);
}
