import { isObject } from "../rpc/message.ts";
import { jsonSchemaValidator, type SchemaValidator } from "./validator.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The constraints of a form's schema that are checked (MCP 2025-11-25, `PrimitiveSchemaDefinition`). */
const keywords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required"],
  ...["minLength", "maxLength", "format", "minimum", "maximum"],
  ...["enum", "oneOf", "anyOf", "const", "items", "minItems", "maxItems"],
]);

/**
 * Checks forms and their fields only by the keywords of MCP's forms: a server's pattern could take any time,
 * and the server checks the answers itself.
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
