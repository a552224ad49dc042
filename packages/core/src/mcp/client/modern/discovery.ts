import { RpcError, RpcErrorCode } from "../../../errors.ts";
import { asObject, isObject } from "../../../rpc/message.ts";
import type { Redactor } from "../../../rpc/redactor.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { SERVER_INFO } from "../../modern-keys.ts";
import type { Implementation, InitializeResult } from "../../protocol.ts";
import { mismatch } from "../../refusals.ts";
import { isLegacyRevision, legacyRevisionNames, modernRevision } from "../../versions.ts";
import { withoutNulls } from "../without-nulls.ts";

/** @returns undefined for a result of another kind, as from a server that accepts any method */
export function parseDiscovery(answer: unknown, redactor: Redactor): InitializeResult | undefined {
  const {
    supportedVersions: versions,
    capabilities,
    instructions,
    _meta: meta,
  } = asObject(withoutNulls(answer));
  if (!Array.isArray(versions)) return undefined;
  if (!versions.includes(modernRevision)) return fallBack(redactor.redact(versions));
  const named = asObject(meta)[SERVER_INFO];
  return {
    protocolVersion: modernRevision,
    capabilities: asObject(capabilities),
    serverInfo: isObject(named) ? (named as unknown as Implementation) : { name: "", version: "" },
    ...(typeof instructions === "string" && { instructions }),
  };
}

/** The revisions that a server names when it refuses another one. */
export function supportedBy(error: unknown): readonly unknown[] | undefined {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.UnsupportedProtocolVersion) {
    return undefined;
  }
  const { supported } = asObject(error.data);
  return Array.isArray(supported) ? (supported as readonly unknown[]) : [];
}

/** @throws IdewireError `version-mismatch` unless one of them is of the legacy era */
export function fallBack(versions: readonly unknown[]): undefined {
  if (versions.some(isLegacyRevision)) return;
  throw mismatch(`MCP ${describeValue(versions)}`, [...legacyRevisionNames, modernRevision]);
}
