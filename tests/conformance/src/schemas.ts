import type { ObjectSchema } from "@idewire/core/internal";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { fromJsonSchema, type ToolInput } from "@idewire/core/server";

/** An object with properties, all of which are required. */
export function objectOf<T = Readonly<Record<string, unknown>>>(
  properties: Readonly<Record<string, unknown>>,
): ToolInput<T> {
  return inputOf<T>({ type: "object", properties, required: Object.keys(properties) });
}

export function inputOf<T = Readonly<Record<string, unknown>>>(schema: ObjectSchema): ToolInput<T> {
  return fromJsonSchema<T>(schema, jsonSchemaValidator);
}

export const nothing: ToolInput<Readonly<Record<string, unknown>>> = inputOf({
  type: "object",
  properties: {},
});
