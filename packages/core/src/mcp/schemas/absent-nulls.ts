import type { ParseResult } from "../../parse-result.ts";
import { isObject } from "../../rpc/message.ts";
import type { CompiledInput } from "./compile-schema.ts";

/** Deeper than any arguments. */
const MAX_DEPTH = 20;

/**
 * Parses arguments in which null may stand for an absent optional member: strict modes of model vendors send every
 * member. Where the schema takes null, null is the value.
 */
export function parseWithNulls(
  { parse, jsonSchema }: CompiledInput,
  value: unknown,
): ParseResult<unknown> {
  const result = parse(value);
  if (result.ok) return result;
  const cleaned = withoutAbsent(value, jsonSchema);
  return cleaned === value ? result : parse(cleaned);
}

/** The value itself if it has no nulls in place of absent members. */
function withoutAbsent(value: unknown, schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return value;
  const inner = (member: unknown, of: unknown) => withoutAbsent(member, of, depth + 1);
  if (Array.isArray(value)) {
    const items = value.map((item) => inner(item, schema["items"]));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const names = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const isAbsent = (name: string) =>
    value[name] === null && !needed.includes(name) && !takesNull(properties[name]);
  const changes = names.map((name) => [name, inner(value[name], properties[name])] as const);
  const isSame = changes.every(([name, member]) => member === value[name] && !isAbsent(name));
  if (isSame) return value;
  const copy = Object.entries({ ...value, ...Object.fromEntries(changes) });
  return Object.fromEntries(copy.filter(([name]) => !names.includes(name) || !isAbsent(name)));
}

/** Whether a schema may allow null; a schema without a type may. */
function takesNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, anyOf, oneOf, enum: values } = schema;
  if (type !== undefined) return [type].flat().includes("null");
  if (Array.isArray(values)) return values.includes(null);
  const kinds = [anyOf, oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  return kinds === undefined ? schema["const"] === undefined : kinds.some(takesNull);
}
