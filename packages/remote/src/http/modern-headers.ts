import { headerParametersOf, nameIn, valueAt } from "@idewire/core";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** Finds the input schema of a tool, where the tool is known. */
export type FindSchema = (tool: string) => object | undefined;

/** The headers that repeat parts of a request (MCP 2026-07-28, Streamable HTTP). */
export function headersOf(
  { method, revision = "", params }: OutgoingMessage,
  inputSchemaOf: FindSchema | undefined,
): Readonly<Record<string, string>> {
  const named = nameIn({ method, params });
  const headers = { "mcp-protocol-version": revision, "mcp-method": method };
  if (typeof named !== "string") return headers;
  const schema = method === "tools/call" ? inputSchemaOf?.(named) : undefined;
  const parameters = (schema && headerParametersOf(schema)) ?? [];
  const repeated = parameters.flatMap(({ name, path }) => {
    const value = valueAt(params["arguments"], path);
    const isPart = /^(string|number|boolean)$/.test(typeof value);
    return isPart ? [[`mcp-param-${name}`, encode(String(value))] as const] : [];
  });
  return { ...headers, "mcp-name": encode(named), ...Object.fromEntries(repeated) };
}

/** A value as a header may have it (Value Encoding). */
function encode(value: string): string {
  const isPlain = /^([!-~]([\t -~]*[!-~])?)?$/.test(value);
  if (isPlain && !/^=\?base64\?.*\?=$/.test(value)) return value;
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
