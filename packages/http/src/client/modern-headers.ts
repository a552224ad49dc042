import { headerParametersOf, nameIn, valueAt } from "@idewire/core/internal";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** Finds the input schema of a tool, where the tool is known. */
export type FindSchema = (tool: string) => object | undefined;

/** The headers that repeat parts of a message of the modern era (MCP 2026-07-28, Streamable HTTP). */
export function headersOf(
  { method, revision, params }: OutgoingMessage,
  inputSchemaOf: FindSchema | undefined,
): Readonly<Record<string, string>> | undefined {
  if (revision === undefined) return undefined;
  const named = nameIn({ method, params });
  const isTool = method === "tools/call" && typeof named === "string";
  const schema = isTool ? inputSchemaOf?.(named) : undefined;
  const parameters = (schema && headerParametersOf(schema)) ?? [];
  const repeated = parameters.map(
    ({ name, path }) => [`mcp-param-${name}`, valueAt(params["arguments"], path)] as const,
  );
  const values = [["mcp-name", named] as const, ...repeated]
    .filter(([, value]) => /^(string|number|boolean)$/.test(typeof value))
    .map(([name, value]) => [name, encode(String(value))] as const);
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...Object.fromEntries(values),
  };
}

/** A value encoded for a header (Value Encoding). */
function encode(value: string): string {
  const isPlain = /^([!-~]([\t -~]*[!-~])?)?$/.test(value);
  if (isPlain && !/^=\?base64\?.*\?=$/.test(value)) return value;
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
