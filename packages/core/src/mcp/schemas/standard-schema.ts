import { IdewireError } from "../../errors.ts";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { JsonSchema, ObjectSchema } from "../protocol.ts";
import { requireHeaderParameters } from "./header-parameters.ts";
import type { ToolInput, ToolOutput } from "./tool-input.ts";

/**
 * A schema of any library that implements Standard Schema, and possibly Standard JSON Schema: zod,
 * valibot, ArkType and others (standardschema.dev). Only the members in use are declared.
 */
export interface StandardSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the schema itself does not provide. */
export interface StandardSchemaOptions {
  /** The equivalent JSON Schema, for a library that cannot generate it. */
  readonly jsonSchema?: ObjectSchema;
  /** Which side of a transforming schema to describe; `input` by default. */
  readonly side?: "input";
}

/** What the schema of an output itself does not provide. */
export interface StandardOutputOptions {
  readonly jsonSchema?: JsonSchema;
  readonly side: "output";
}

/**
 * A tool's input by a schema of any Standard Schema library; with `side: "output"` its output, which may
 * be any JSON value.
 * @throws IdewireError `invalid-argument` when no JSON Schema is available, or that of an input does not
 * describe an object or has an `x-mcp-header` for which clients would drop the tool
 */
export function fromStandardSchema<Output>(
  schema: StandardSchema<Output>,
  options: StandardOutputOptions,
): ToolOutput<Output>;
export function fromStandardSchema<Output>(
  schema: StandardSchema<Output>,
  options?: StandardSchemaOptions,
): ToolInput<Output>;
export function fromStandardSchema<Output>(
  schema: StandardSchema<Output>,
  { jsonSchema, side = "input" }: StandardSchemaOptions | StandardOutputOptions = {},
): ToolOutput<Output> {
  const described = jsonSchema ?? describeStandard(schema, side);
  if (side === "input") requireHeaderParameters(described);
  return {
    jsonSchema: described,
    parse(value) {
      if (side === "output" || isObject(value)) return parseStandard(schema, value);
      return refused(`expected object, got ${describeValue(value)}`);
    },
  };
}

/** Validates a value by a Standard Schema, synchronously; an issue names the member. */
export function parseStandard<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): ParseResult<Output> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new IdewireError("invalid-argument", "A tool's schema must validate synchronously");
  }
  if (result.issues === undefined) return parsed(result.value);
  return refused(result.issues.slice(0, 3).map(describeIssue).join("; "));
}

function describeStandard(schema: StandardSchema<unknown>, side: "input" | "output"): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new IdewireError(
      "invalid-argument",
      `${vendor} generates no JSON Schema: pass it as jsonSchema`,
    );
  }
  const { $schema: _, ...body } = jsonSchema[side]({ target: "draft-2020-12" });
  if (side === "input" && body["type"] !== "object") {
    const seen = describeValue(body["type"]);
    throw new IdewireError(
      "invalid-argument",
      `A tool's schema must describe an object, got ${seen}`,
    );
  }
  return body;
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
