import type { SchemaValidator } from "@idewire/core/internal";
import { isObject } from "@idewire/core/internal";
import { jsonSchemaValidator } from "@idewire/core/json-schema";

type Schema = Readonly<Record<string, unknown>>;

/** What answers are held to of a form's schema (MCP 2025-11-25, `PrimitiveSchemaDefinition`). */
const keywords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required"],
  ...["minLength", "maxLength", "format", "minimum", "maximum"],
  ...["enum", "oneOf", "anyOf", "const", "items", "minItems", "maxItems"],
]);

/**
 * Checks answers to forms and their fields by what MCP's forms have, and by nothing else: a pattern of a server's
 * could cost any time, and its own check comes after ours.
 */
export const formValidator: SchemaValidator = {
  compile: (schema) => jsonSchemaValidator.compile(narrow(schema)),
};

function narrow(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => keywords.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, narrowWithin(keyword, value)]),
  );
}

/** The value of a keyword, with the schemas in it narrowed as well. */
function narrowWithin(keyword: string, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => (isObject(item) ? narrow(item) : item));
  if (!isObject(value)) return value;
  if (keyword !== "properties") return narrow(value);
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, isObject(field) ? narrow(field) : field]),
  );
}
