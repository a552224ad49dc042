import {
  describeValue,
  type HeaderParameter,
  headerParametersOf,
  isObject,
  isRequestId,
  nameIn,
  valueAt,
} from "@idewire/core/internal";
import type { McpServer } from "@idewire/core/server";
import { metaOf, versionKey } from "./modern-meta.ts";
import type { RequestHead } from "./request-head.ts";

/** A header's name as displayed, and in lower case. */
interface HeaderName {
  readonly text: string;
  readonly key: string;
}

interface RepeatedParameter {
  readonly header: HeaderName;
  readonly path: HeaderParameter["path"];
}

const versionHeader = headerName("MCP-Protocol-Version");
const methodHeader = headerName("Mcp-Method");
const nameHeader = headerName("Mcp-Name");

/**
 * How the headers of a request differ from its body, in words; undefined when they agree (MCP 2026-07-28,
 * Streamable HTTP / Server Validation). Members that the body lacks are judged elsewhere.
 */
export function findHeaderFault(
  head: RequestHead,
  body: unknown,
  server: Pick<McpServer<never>, "findTool">,
): string | undefined {
  const version = metaOf(body)?.[versionKey];
  if (!isObject(body) || !isRequestId(body["id"]) || version === undefined) return undefined;
  const { method } = body;
  const params = isObject(body["params"]) ? body["params"] : {};
  const name = nameIn(body);
  return (
    differs(versionHeader, head, version) ??
    differs(methodHeader, head, method) ??
    differs(nameHeader, head, name, decodeHeader) ??
    (method === "tools/call" ? findParameterFault(head, params, server) : undefined)
  );
}

function findParameterFault(
  head: RequestHead,
  { name, arguments: args }: Readonly<Record<string, unknown>>,
  server: Pick<McpServer<never>, "findTool">,
): string | undefined {
  const tool = typeof name === "string" ? server.findTool(name) : undefined;
  // A refusal would reveal that the tool exists to a caller who may not see it.
  if (tool === undefined || tool.visible !== undefined) return undefined;
  for (const { header, path } of parametersOf(tool.description.inputSchema)) {
    const value = valueAt(args, path);
    const fault = isPrimitive(value)
      ? differs(header, head, value, decodeHeader)
      : unexpected(header, head);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const known = new WeakMap<object, readonly RepeatedParameter[]>();

/** The arguments of a tool that clients repeat in headers, from the tool's input schema, which is read once. */
function parametersOf(schema: object): readonly RepeatedParameter[] {
  let found = known.get(schema);
  if (found === undefined) {
    const parameters = headerParametersOf(schema) ?? [];
    found = parameters.map(({ name, path }) => ({ header: headerName(`Mcp-Param-${name}`), path }));
    known.set(schema, found);
  }
  return found;
}

type Decode = (value: string) => string | undefined;

function differs(
  { text, key }: HeaderName,
  head: RequestHead,
  expected: unknown,
  decode: Decode = (value) => value,
): string | undefined {
  if (!isPrimitive(expected)) return undefined;
  const raw = head.header(key);
  if (raw === undefined)
    return `Header mismatch: ${text} is missing, its value would be ${describeValue(expected)}`;
  const value = decode(raw);
  const isSame =
    typeof expected === "number"
      ? value !== undefined && value.trim() !== "" && Number(value) === expected
      : value === String(expected) || value === asUtf8(String(expected));
  if (isSame) return undefined;
  return `Header mismatch: ${text} is ${describeValue(raw)}, the body says ${describeValue(expected)}`;
}

function unexpected({ text, key }: HeaderName, head: RequestHead): string | undefined {
  const raw = head.header(key);
  if (raw === undefined) return undefined;
  return `Header mismatch: ${text} is ${describeValue(raw)}, the body has no such value`;
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Decodes a value of Mcp-Name or Mcp-Param-*; undefined for an invalid one (Value Encoding). */
function decodeHeader(value: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  try {
    const binary = atob(encoded);
    // Only one spelling is accepted.
    if (btoa(binary) !== encoded) return undefined;
    const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text as UTF-8 carries it: JSON can contain half of a surrogate pair, a header cannot. */
function asUtf8(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function headerName(text: string): HeaderName {
  return { text, key: text.toLowerCase() };
}
