import { RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import { isObject } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { isLogLevel } from "../../logging.ts";
import { CAPABILITIES, CLIENT_INFO, LOG_LEVEL, VERSION } from "../../modern-keys.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { modernRevision } from "../../versions.ts";
import type { ClientSettings } from "../caller.ts";

// MCP 2026-07-28, Basic / _meta.

/** The client facts in a request. */
export interface RequestMeta {
  readonly clientCapabilities: Capabilities;
  readonly settings: ClientSettings;
}

/** Whether a request names its revision or its client's capabilities, as only those of the modern era do. */
export function hasModernMeta({ params }: Call): boolean {
  const meta = params?.["_meta"];
  if (!isObject(meta)) return false;
  return VERSION in meta || CAPABILITIES in meta || CLIENT_INFO in meta;
}

/**
 * The client facts in a request.
 * @throws RpcError -32602 for missing or malformed members, -32022 for another revision
 */
export function parseRequestMeta({ params }: Call): RequestMeta {
  const meta = params?.["_meta"];
  if (!isObject(meta)) {
    throw invalidParams(`_meta: expected an object with ${VERSION}, got ${describeValue(meta)}`);
  }
  const { [VERSION]: version, [CAPABILITIES]: clientCapabilities, [LOG_LEVEL]: logLevel } = meta;
  if (typeof version !== "string") {
    throw invalidParams(`_meta["${VERSION}"]: expected a string, got ${describeValue(version)}`);
  }
  if (version !== modernRevision) throw unsupportedVersion(version);
  if (!isObject(clientCapabilities)) {
    const seen = describeValue(clientCapabilities);
    throw invalidParams(`_meta["${CAPABILITIES}"]: expected an object, got ${seen}`);
  }
  if (logLevel === undefined) return { clientCapabilities, settings: {} };
  if (isLogLevel(logLevel)) return { clientCapabilities, settings: { logLevel } };
  throw invalidParams(
    `_meta["${LOG_LEVEL}"]: expected a log level, got ${describeValue(logLevel)}`,
  );
}

/** The error for a revision outside the modern era. */
export function unsupportedVersion(requested: unknown): RpcError {
  const data = { supported: [modernRevision], requested };
  const text = `Unsupported protocol version ${describeValue(requested)}: use ${modernRevision}`;
  return new RpcError(RpcErrorCode.UnsupportedProtocolVersion, text, data);
}
