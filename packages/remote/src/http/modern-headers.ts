import { isObject, nameIn } from "@idewire/core";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** Finds the input schema of a tool, where the tool is known. */
export type FindSchema = (tool: string) => object | undefined;

/** The headers that repeat parts of a request (MCP 2026-07-28, Streamable HTTP). */
export function headersOf(
  { method, revision = "", params }: OutgoingMessage,
  inputSchemaOf: FindSchema | undefined,
): Readonly<Record<string, string>> {
  const name = nameIn({ method, params });
  const isCall = method === "tools/call" && typeof name === "string";
  const schema = isCall ? inputSchemaOf?.(name) : undefined;
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": encode(name) }),
    ...Object.fromEntries(schema === undefined ? [] : parametersOf(schema, params["arguments"])),
  };
}

/** The headers of the arguments that a schema marks by `x-mcp-header`. */
function parametersOf(schema: unknown, value: unknown): readonly (readonly [string, string])[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  if (!isObject(properties) || !isObject(value)) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property) || !Object.hasOwn(value, key)) return [];
    const { [key]: part } = value;
    const { "x-mcp-header": name } = property;
    const isPart = typeof name === "string" && /^(string|number|boolean)$/.test(typeof part);
    const own = isPart ? [[`mcp-param-${name}`, encode(String(part))] as const] : [];
    return [...own, ...parametersOf(property, part)];
  });
}

/** A value as a header may have it (Value Encoding). */
function encode(value: string): string {
  const isPlain = /^([!-~]([\t -~]*[!-~])?)?$/.test(value);
  if (isPlain && !/^=\?base64\?.*\?=$/.test(value)) return value;
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
