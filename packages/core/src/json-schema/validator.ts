import { type Schema, Validator } from "@cfworker/json-schema";
import type { ParseResult } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import { namesOfPointer } from "../text/json-pointer.ts";
import { draftOf, requireUsableSchema } from "./usable-schema.ts";

/** Validates values against plain JSON Schema. */
export interface SchemaValidator {
  /**
   * Compiles a schema to a check. References to other documents are never fetched.
   * @throws IdewireError `invalid-argument` for an unusable schema
   */
  compile(schema: Readonly<Record<string, unknown>>): (value: unknown) => ParseResult<unknown>;
}

/**
 * The validator of `@cfworker/json-schema`. It generates no code, so it works under a strict Content
 * Security Policy, and fetches nothing.
 */
export const jsonSchemaValidator: SchemaValidator = {
  compile(schema) {
    requireUsableSchema(schema);
    // A copy, since the library adds members to the schema.
    const own = JSON.parse(JSON.stringify(schema)) as Schema;
    const validator = new Validator(own, draftOf(schema));
    return (value) => {
      try {
        const { valid, errors } = validator.validate(value);
        return valid ? { ok: true, value } : { ok: false, issue: describeErrors(errors, value) };
      } catch (error) {
        // An invalid pattern, or a value that is nested too deeply for the stack.
        return { ok: false, issue: `it cannot be validated: ${String(error)}` };
      }
    };
  },
};

type Errors = ReturnType<Validator["validate"]>["errors"];

function describeErrors(errors: Errors, value: unknown): string {
  const isLeaf = ({ keywordLocation }: Errors[number]) =>
    !errors.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/`));
  const leaves = errors.filter(isLeaf).slice(0, 3);
  return leaves.map((error) => describeError(error, value)).join("; ");
}

function describeError({ instanceLocation, error }: Errors[number], value: unknown): string {
  const keys = namesOfPointer(decodeURIComponent(instanceLocation));
  let seen = value;
  for (const key of keys) seen = (seen as Readonly<Record<string, unknown>> | undefined)?.[key];
  return `${keys.join(".") || "it"}: ${error} Got ${describeValue(seen)}`;
}
