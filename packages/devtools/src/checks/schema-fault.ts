import { describeValue, isObject } from "@idewire/core/internal";
import { jsonSchemaValidator } from "@idewire/core/json-schema";

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** Keywords by what their values are. */
const SCHEMAS: ReadonlySet<string> = new Set([
  ...["additionalItems", "additionalProperties", "contains", "else", "if", "items", "not"],
  ...["propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"],
]);
const LISTS_OF_SCHEMAS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  ...["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"],
]);
const COUNTS: ReadonlySet<string> = new Set([
  ...["maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"],
]);
const NUMBERS: ReadonlySet<string> = new Set([
  ...["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"],
]);

/** Schemas within schemas, at most. */
const MAX_DEPTH = 64;

/** The fault of a JSON Schema: an unknown dialect, an unresolved reference, or an invalid keyword. */
export function findSchemaFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return describeValue(schema);
  try {
    const fault = findKeywordFault(schema, []);
    if (fault === undefined) jsonSchemaValidator.compile(schema)({});
    return fault;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The validator ignores keywords whose values it cannot use. */
function findKeywordFault(schema: unknown, path: readonly string[]): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const at = (fault: string) => (path.length === 0 ? fault : `${path.join(".")}: ${fault}`);
  if (!isObject(schema)) return at(`it is ${describeValue(schema)}`);
  if (path.length > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} deep`;
  for (const [name, value] of Object.entries(schema)) {
    const fault = findValueFault(name, value);
    if (fault !== undefined) return at(fault);
    for (const [key, part] of partsOf(name, value)) {
      const inner = findKeywordFault(part, [...path, ...key]);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** The schemas in the value of a keyword, and where they are. */
function partsOf(name: string, value: unknown): readonly (readonly [readonly string[], unknown])[] {
  if (name === "properties" && isObject(value))
    return Object.entries(value).map(([key, part]) => [[key], part]);
  if (MAPS_OF_SCHEMAS.has(name) && isObject(value))
    return Object.entries(value).map(([key, part]) => [[name, key], part]);
  if (Array.isArray(value) && (LISTS_OF_SCHEMAS.has(name) || name === "items"))
    return value.map((part, index) => [[`${name}[${index}]`], part]);
  return SCHEMAS.has(name) ? [[[name], value]] : [];
}

function findValueFault(name: string, value: unknown): string | undefined {
  const seen = `${name} is ${describeValue(value)}`;
  if (name === "type") {
    const strange = [value].flat().find((type) => !TYPES.includes(type as string));
    return strange === undefined ? undefined : `there is no type ${describeValue(strange)}`;
  }
  if (name === "required") {
    // A boolean was valid in draft 3, and some libraries still write it.
    const isOfNames = Array.isArray(value) && value.every((key) => typeof key === "string");
    return isOfNames ? undefined : seen;
  }
  if (name === "enum") return Array.isArray(value) ? undefined : seen;
  if (MAPS_OF_SCHEMAS.has(name)) return isObject(value) ? undefined : seen;
  if (LISTS_OF_SCHEMAS.has(name))
    return Array.isArray(value) && value.length > 0 ? undefined : seen;
  if (COUNTS.has(name)) return Number.isInteger(value) && Number(value) >= 0 ? undefined : seen;
  if (NUMBERS.has(name)) return findNumberFault(name, value) ? seen : undefined;
  return name === "pattern" ? findPatternFault(value) : undefined;
}

/** In draft 4, `exclusiveMinimum` and `exclusiveMaximum` are booleans. */
function findNumberFault(name: string, value: unknown): boolean {
  return typeof value !== "number" && !(name.startsWith("exclusive") && value === true);
}

function findPatternFault(value: unknown): string | undefined {
  if (typeof value !== "string") return `pattern is ${describeValue(value)}`;
  for (const flags of ["u", ""]) {
    try {
      new RegExp(value, flags);
      return undefined;
    } catch {
      // Without the flag more expressions are valid.
    }
  }
  return `pattern ${describeValue(value)} is no regular expression`;
}
