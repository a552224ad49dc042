import { isObject } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import { capabilitiesKey, metaOf, versionKey } from "./modern-meta.ts";

/** The start of an error answer, up to its code. */
const ERROR = /^\{"jsonrpc":"2\.0",(?:"id":(?:"(?:[^"\\]|\\.)*"|[^",]*),)?"error":\{"code":(-?\d+)/;

/** The part of an error with the time of a retry. */
const RETRY = /"data":\{"retryAfterMs":\d+\}\}\}$/;

const badRequests: ReadonlySet<number> = new Set([
  RpcErrorCode.ParseError,
  RpcErrorCode.InvalidRequest,
  RpcErrorCode.HeaderMismatch,
  RpcErrorCode.MissingClientCapability,
  RpcErrorCode.UnsupportedProtocolVersion,
]);

/**
 * The status of an answer in the modern era (MCP 2026-07-28, Streamable HTTP and Basic / _meta).
 * @param body the answer
 */
export function statusOf(frame: string, body: unknown): number {
  const [, digits] = ERROR.exec(frame) ?? [];
  if (digits === undefined) return 200;
  const code = Number(digits);
  if (code === RpcErrorCode.MethodNotFound) return 404;
  if (code === RpcErrorCode.InvalidParams) return hasMeta(body) ? 200 : 400;
  if (code === RpcErrorCode.InternalError) return RETRY.test(frame) ? 503 : 200;
  return badRequests.has(code) ? 400 : 200;
}

/** Whether a request has all required members. */
function hasMeta(body: unknown): boolean {
  const meta = metaOf(body);
  return typeof meta?.[versionKey] === "string" && isObject(meta[capabilitiesKey]);
}
