import type { ParseResult } from "../../parse-result.ts";
import { refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { JsonSchema, ObjectSchema } from "../protocol.ts";
import { requireHeaderParameters } from "./header-parameters.ts";
import type { ToolInput, ToolOutput } from "./tool-input.ts";

/**
 * Validates values against plain JSON Schema. `@idewire/core/json-schema` exports one, separately so
 * that only programs that need it load it.
 */
export interface SchemaValidator {
  /**
   * Compiles a schema to a check. References to other documents are never fetched.
   * @throws IdewireError `invalid-argument` for an unusable schema
   */
  compile(schema: Readonly<Record<string, unknown>>): (value: unknown) => ParseResult<unknown>;
}

/** A tool's output, any JSON value, by plain JSON Schema. */
export function outputFromJsonSchema<T = unknown>(
  schema: JsonSchema,
  validator: SchemaValidator,
): ToolOutput<T> {
  const check = validator.compile(schema);
  return { jsonSchema: schema, parse: (value) => check(value) as ParseResult<T> };
}

/**
 * A tool's input by plain JSON Schema.
 * @throws IdewireError `invalid-argument` for an unusable schema, and for an `x-mcp-header` for which clients
 * would drop the tool
 */
export function fromJsonSchema<T = Readonly<Record<string, unknown>>>(
  schema: ObjectSchema,
  validator: SchemaValidator,
): ToolInput<T> {
  requireHeaderParameters(schema);
  const check = validator.compile(schema);
  return {
    jsonSchema: schema,
    parse(value) {
      if (!isObject(value)) return refused(`expected object, got ${describeValue(value)}`);
      return check(value) as ParseResult<T>;
    },
  };
}
