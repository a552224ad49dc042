import { isObject, type Params } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { MAX_ISSUES, type StandardResult, type StandardSchema } from "./standard-schema.ts";

/** The JSON Schema of an argument, which may also be null with `nullable`, and be left out with `optional`. */
type ArgumentSchema<T> = KindOf<NonNullable<T>> & {
  readonly description?: string;
} & (null extends T ? { readonly nullable: true } : { readonly nullable?: never });

type KindOf<T> =
  Same<T, string> extends true
    ? { readonly type: "string" }
    : Same<T, number> extends true
      ? { readonly type: "number" }
      : Same<T, boolean> extends true
        ? { readonly type: "boolean" }
        : T extends readonly (infer Item)[]
          ? { readonly type: "array"; readonly items: ArgumentSchema<Item> }
          : T extends object
            ? ObjectOf<T>
            : never;

/** A record has no properties of its own. */
type ObjectOf<T> = string extends keyof T
  ? { readonly type: "object"; readonly properties?: never }
  : { readonly type: "object"; readonly properties: ArgumentSchemas<T> };

type Same<A, B> = [A, B] extends [B, A] ? true : false;

/** Exactly the members of a type: one that is missing, or of another type, does not compile. */
type ArgumentSchemas<T> = {
  readonly [K in keyof T]-?: ArgumentSchema<Exclude<T[K], undefined>> &
    (Pick<T, K> extends Required<Pick<T, K>>
      ? { readonly optional?: never }
      : { readonly optional: true });
};

interface AnySchema {
  readonly type: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly optional?: boolean;
  readonly items?: AnySchema;
  readonly properties?: AnySchemas;
}

type AnySchemas = Readonly<Record<string, AnySchema>>;

/**
 * The schema of an object of strings, numbers, flags, and lists, objects and records of these, each with its JSON
 * Schema.
 *
 * @example plainInput<CloseTabArguments>({ tab_name: { type: "string", description: "Its title" } })
 */
export function plainInput<T>(schemas: ArgumentSchemas<T>): StandardSchema<unknown, T> {
  const properties = schemas as unknown as AnySchemas;
  const toSchema = () => ({ type: "object", ...toJsonMembers(properties) });
  return {
    "~standard": {
      version: 1,
      vendor: "idewire",
      validate: (value) => validate<T>(properties, value),
      jsonSchema: { input: toSchema, output: toSchema },
    },
  };
}

function validate<T>(schemas: AnySchemas, value: unknown): StandardResult<T> {
  if (!isObject(value)) {
    return { issues: [{ message: `expected object, got ${describeValue(value)}` }] };
  }
  const issues: string[] = [];
  const found = readMembers(schemas, value, "", issues);
  return issues.length === 0
    ? { value: found as T }
    : { issues: issues.map((message) => ({ message })) };
}

function toJsonMembers(schemas: AnySchemas): Params {
  const members = Object.entries(schemas);
  return {
    properties: Object.fromEntries(members.map(([name, schema]) => [name, toJson(schema)])),
    required: members.filter(([, { optional }]) => optional !== true).map(([name]) => name),
  };
}

function toJson({ type, description, nullable, items, properties }: AnySchema): Params {
  const kind = {
    type,
    ...(items && { items: toJson(items) }),
    ...(properties && toJsonMembers(properties)),
  };
  return {
    ...(nullable === true ? { anyOf: [kind, { type: "null" }] } : kind),
    ...(description !== undefined && { description }),
  };
}

/** Parses the members with a schema; their faults are added to `issues`. */
function readMembers(schemas: AnySchemas, value: Params, within: string, issues: string[]): Params {
  const given = Object.entries(schemas).filter(
    ([name, { optional }]) => optional !== true || Object.hasOwn(value, name),
  );
  return Object.fromEntries(
    given.map(([name, schema]) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      return [name, read(schema, member, within + name, issues)];
    }),
  );
}

function read(schema: AnySchema, value: unknown, name: string, issues: string[]): unknown {
  const { type, nullable, items, properties } = schema;
  if (items !== undefined && Array.isArray(value)) {
    return value.map((item, index) => read(items, item, `${name}.${index}`, issues));
  }
  if (type === "object" && isObject(value)) {
    return properties ? readMembers(properties, value, `${name}.`, issues) : value;
  }
  const isNull = nullable === true && value === null;
  const isOther = items !== undefined || type === "object" || typeof value !== type;
  if (isOther && !isNull && issues.length < MAX_ISSUES) {
    issues.push(`${name}: expected ${type}, got ${describeValue(value)}`);
  }
  return value;
}
