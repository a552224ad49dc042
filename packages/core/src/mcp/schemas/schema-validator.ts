import type { ParseResult } from "../../parse-result.ts";
import { refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { ObjectSchema } from "../protocol.ts";
import type { ToolInput } from "./tool-input.ts";

/**
 * Checks values by plain JSON Schema. `@idewire/core/json-schema` has one; it is an entry of its
 * own, so that only who checks by plain JSON Schema loads it.
 */
export interface SchemaValidator {
  /**
   * Makes the check of one schema; nothing that the schema refers to is ever fetched.
   * @throws IdewireError `invalid-argument` for a schema that cannot be used
   */
  compile(schema: Readonly<Record<string, unknown>>): (value: unknown) => ParseResult<unknown>;
}

/** A tool's input, or output, by plain JSON Schema. */
export function fromJsonSchema<T = Readonly<Record<string, unknown>>>(
  schema: ObjectSchema,
  validator: SchemaValidator,
): ToolInput<T> {
  const check = validator.compile(schema);
  return {
    jsonSchema: schema,
    parse(value) {
      if (!isObject(value)) return refused(`expected object, got ${describeValue(value)}`);
      return check(value) as ParseResult<T>;
    },
  };
}
