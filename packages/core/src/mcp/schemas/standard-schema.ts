import { IdewireError } from "../../errors.ts";
import { parsed, refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { ObjectSchema } from "../protocol.ts";
import type { ToolInput } from "./tool-input.ts";

/**
 * A schema of any library that follows Standard Schema, and where it can Standard JSON Schema: zod,
 * valibot, ArkType and others (standardschema.dev). Only what is needed of it is declared here.
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

/** What the schema does not say itself. */
export interface StandardSchemaOptions {
  /** The same as JSON Schema, for a library that cannot write it. */
  readonly jsonSchema?: ObjectSchema;
  /** Which side of a schema that transforms is described: `output` for a tool's output. */
  readonly side?: "input" | "output";
}

/**
 * A tool's input, or output, by a schema of any Standard Schema library.
 * @throws IdewireError `invalid-argument` when the JSON Schema is neither known nor given, or is not
 * that of an object
 */
export function fromStandardSchema<Output>(
  schema: StandardSchema<Output>,
  options: StandardSchemaOptions = {},
): ToolInput<Output> {
  const { validate } = schema["~standard"];
  return {
    jsonSchema: options.jsonSchema ?? describeStandard(schema, options.side ?? "input"),
    parse(value) {
      if (!isObject(value)) return refused(`expected object, got ${describeValue(value)}`);
      const result = validate(value);
      if (result instanceof Promise) {
        throw new IdewireError("invalid-argument", "A tool's schema must not check asynchronously");
      }
      if (result.issues === undefined) return parsed(result.value);
      return refused(result.issues.slice(0, 3).map(describeIssue).join("; "));
    },
  };
}

function describeStandard(schema: StandardSchema<unknown>, side: "input" | "output"): ObjectSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new IdewireError("invalid-argument", `${vendor} writes no JSON Schema: give it beside`);
  }
  const { $schema: _, ...body } = jsonSchema[side]({ target: "draft-2020-12" });
  if (body["type"] !== "object") {
    const seen = describeValue(body["type"]);
    throw new IdewireError("invalid-argument", `A tool takes and gives an object, got ${seen}`);
  }
  return body as ObjectSchema;
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
