import { IdewireError } from "../../errors.ts";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";

/** How many issues a refusal names. */
export const MAX_ISSUES = 3;

/**
 * A schema of any library that implements Standard Schema: zod, valibot, ArkType and others
 * (standardschema.dev). Only the members in use are declared.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema; valibot's schemas are converted without it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether a value is a Standard Schema; those of some libraries are functions. */
export function isStandard(schema: unknown): schema is StandardSchema {
  const isAny = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  return isAny && "~standard" in schema;
}

/** Validates a value by a Standard Schema, synchronously; an issue names the member. */
export function parseStandard(schema: StandardSchema, value: unknown): ParseResult<unknown> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new IdewireError("invalid-argument", "The schema must validate synchronously");
  }
  if (result.issues === undefined) return parsed(result.value);
  return refused(result.issues.slice(0, MAX_ISSUES).map(describeIssue).join("; "));
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
