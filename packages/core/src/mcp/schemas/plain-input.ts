import type { GenericSchema } from "valibot";
import { IdewireError } from "../../errors.ts";
import type { ObjectSchema } from "../protocol.ts";
import { schemaInput, type ToolInput } from "./tool-input.ts";
import type { ValibotSchema } from "./valibot-issues.ts";

/**
 * Like {@link valibotInput}, but only for schemas of strings, numbers, booleans, arrays, objects and
 * records with descriptions: the built-in tools need no more, and the full conversion would add 3 kB
 * gzipped to a bundle.
 * @throws IdewireError `invalid-argument` for any other kind of schema
 */
export function plainInput<Arguments>(
  schema: GenericSchema<unknown, Arguments>,
): ToolInput<Arguments> {
  return schemaInput(schema, toJson(schema) as unknown as ObjectSchema);
}

function toJson(schema: unknown): Readonly<Record<string, unknown>> {
  const parts = schema as ValibotSchema;
  const description = parts.pipe?.find(({ type }) => type === "description")?.description;
  return { ...toJsonKind(parts), ...(description !== undefined && { description }) };
}

function toJsonKind({ type, entries, item, wrapped }: ValibotSchema): Record<string, unknown> {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return { type };
    case "array":
      return { type, items: toJson(item) };
    case "exact_optional":
      return toJson(wrapped);
    case "nullable":
      return { anyOf: [toJson(wrapped), { type: "null" }] };
    case "record":
      return { type: "object" };
    case "object":
      return toJsonObject(entries ?? {});
    default:
      throw new IdewireError("invalid-argument", `plainInput does not support the schema ${type}`);
  }
}

function toJsonObject(entries: Readonly<Record<string, ValibotSchema>>): Record<string, unknown> {
  const members = Object.entries(entries);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, member]) => [name, toJson(member)])),
    required: members.filter(([, { type }]) => type !== "exact_optional").map(([name]) => name),
  };
}
