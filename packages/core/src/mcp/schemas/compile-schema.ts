import { toJsonSchema } from "@valibot/to-json-schema";
import { type GenericSchema, safeParse } from "valibot";
import { IdewireError, messageOf } from "../../errors.ts";
import { createLazyCheck } from "../../json-schema/lazy-check.ts";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import { isObject } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import type { JsonSchema, ObjectSchema } from "../protocol.ts";
import { requireHeaderParameters } from "./header-parameters.ts";
import type { InferOutput, Schema } from "./infer.ts";
import { isStandard, parseStandard, type StandardSchema } from "./standard-schema.ts";
import { describeIssues } from "./valibot-issues.ts";

/** A schema in the form in which the protocol sends it, with the check of a value. */
export interface CompiledSchema<T = unknown> {
  readonly jsonSchema: JsonSchema;
  /** Loads what `parse` needs; undefined once that is done. Absent where nothing has to be loaded. */
  load?(this: void): Promise<void> | undefined;
  /** An issue names the member, the value seen and what was expected. */
  parse(this: void, value: unknown): ParseResult<T>;
}

/** A compiled schema of an object: of arguments, or of a form. */
export interface CompiledInput<T = unknown> extends CompiledSchema<T> {
  readonly jsonSchema: ObjectSchema;
}

/** Which side of a schema that transforms values is described. */
type Side = "input" | "output";

const DRAFT = { target: "draft-2020-12" } as const;

// A schema is compiled once, however many servers and questions use it.
const inputs = new WeakMap<object, CompiledInput>();
const outputs = new WeakMap<object, CompiledSchema>();

/**
 * Compiles the schema of an object.
 * @param owner what it belongs to, for error messages
 * @throws IdewireError `invalid-argument` for a value that is not a schema of an object, for a library
 * without JSON Schema, and for an `x-mcp-header` for which clients would drop the tool
 */
export function compileInput<S extends Schema>(
  owner: string,
  schema: S,
): CompiledInput<InferOutput<S>> {
  return compileOnce(inputs, owner, schema, () => {
    const { jsonSchema, parse, ...lazy } = compile(schema, "input");
    if (jsonSchema["type"] !== "object") {
      const seen = describeValue(jsonSchema["type"] ?? jsonSchema);
      throw new IdewireError("invalid-argument", `expected a schema of an object, got ${seen}`);
    }
    requireHeaderParameters(jsonSchema);
    return {
      jsonSchema: jsonSchema as ObjectSchema,
      ...lazy,
      parse: (value) =>
        isObject(value) ? parse(value) : refused(`expected object, got ${describeValue(value)}`),
    };
  }) as CompiledInput<InferOutput<S>>;
}

/**
 * Compiles the schema of a result: of any JSON value.
 * @param owner what it belongs to, for error messages
 * @throws IdewireError `invalid-argument` for a value that is not a schema, and for a library without JSON Schema
 */
export function compileOutput(owner: string, schema: Schema): CompiledSchema {
  return compileOnce(outputs, owner, schema, () => compile(schema, "output"));
}

function compileOnce<Compiled>(
  known: WeakMap<object, Compiled>,
  owner: string,
  schema: Schema,
  create: () => Compiled,
): Compiled {
  try {
    const compiled = known.get(schema) ?? create();
    known.set(schema, compiled);
    return compiled;
  } catch (cause) {
    const why = messageOf(cause);
    throw new IdewireError("invalid-argument", `${owner}: ${why}`, { cause });
  }
}

function compile(schema: Schema, side: Side): CompiledSchema {
  if (isStandard(schema)) return compileStandard(schema, side);
  if (!isObject(schema) || Object.values(schema).some(isSchemaOfLibrary)) {
    const seen = describeValue(schema);
    throw new IdewireError(
      "invalid-argument",
      `expected a Standard Schema or JSON Schema, got ${seen}`,
    );
  }
  return { jsonSchema: schema, ...createLazyCheck(schema) };
}

/** The members of an object that are schemas of a library are no JSON Schema: `z.object()` is missing. */
function isSchemaOfLibrary(value: unknown): boolean {
  return isStandard(value);
}

function compileStandard(schema: StandardSchema, side: Side): CompiledSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor === "valibot") return compileValibot(schema as unknown as GenericSchema, side);
  if (jsonSchema === undefined) {
    throw new IdewireError(
      "invalid-argument",
      `this version of ${vendor} gives no JSON Schema: use a newer one, or JSON Schema itself`,
    );
  }
  return {
    jsonSchema: withoutDialect(jsonSchema[side](DRAFT)),
    parse: (value) => parseStandard(schema, value),
  };
}

/** Its own issues do not state the values seen. */
function compileValibot(schema: GenericSchema, side: Side): CompiledSchema {
  return {
    jsonSchema: withoutDialect(toJsonSchema(schema, { ...DRAFT, typeMode: side })),
    parse(value) {
      const result = safeParse(schema, value);
      if (result.success) return parsed(result.output);
      return refused(describeIssues(schema, result.issues, "it"));
    },
  };
}

/** MCP's default dialect need not be named. */
function withoutDialect(schema: object): JsonSchema {
  const { $schema, ...body } = schema as Readonly<Record<string, unknown>>;
  return $schema === undefined || ($schema as string).includes("2020-12")
    ? body
    : (schema as JsonSchema);
}
