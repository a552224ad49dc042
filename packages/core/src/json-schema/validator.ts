import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { IdewireError } from "../errors.ts";
import type { ParseResult } from "../parse-result.ts";
import { describeValue, isObject } from "../rpc/message.ts";
import { namesOfPointer } from "../text/json-pointer.ts";

/** Validates values against plain JSON Schema. */
export interface SchemaValidator {
  /**
   * Compiles a schema to a check. References to other documents are never fetched.
   * @throws IdewireError `invalid-argument` for an unusable schema
   */
  compile(schema: Readonly<Record<string, unknown>>): (value: unknown) => ParseResult<unknown>;
}

const drafts: readonly (readonly [name: string, draft: SchemaDraft])[] = [
  ["/draft-04/", "4"],
  ["/draft-07/", "7"],
  ["/2019-09/", "2019-09"],
  ["/2020-12/", "2020-12"],
];

/**
 * The validator of `@cfworker/json-schema`. It generates no code, so it works under a strict Content
 * Security Policy, and fetches nothing. A schema without `$schema` is one of 2020-12 (MCP 2025-11-25,
 * Basic / JSON Schema Usage).
 */
export const jsonSchemaValidator: SchemaValidator = {
  compile(schema) {
    // A copy, since the library adds members to the schema.
    const own = JSON.parse(JSON.stringify(schema)) as Schema;
    const validator = new Validator(own, draftOf(schema["$schema"]));
    requireAllReferences(validator);
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

function draftOf(dialect: unknown): SchemaDraft {
  if (dialect === undefined) return "2020-12";
  const known = drafts.find(([name]) => typeof dialect === "string" && dialect.includes(name));
  if (known !== undefined) return known[1];
  const seen = describeValue(dialect);
  throw new IdewireError("invalid-argument", `Unknown dialect of JSON Schema: ${seen}`);
}

/** The library itself reports an unresolved reference only when a value reaches it. */
function requireAllReferences(validator: Validator): void {
  const { lookup } = validator as unknown as { lookup: Readonly<Record<string, unknown>> };
  for (const part of Object.values(lookup)) {
    if (!isObject(part)) continue;
    const target = part["__absolute_ref__"];
    if (typeof target === "string" && !(target in lookup)) {
      const seen = describeValue(part["$ref"]);
      throw new IdewireError(
        "invalid-argument",
        `$ref ${seen} does not refer to the schema itself`,
      );
    }
  }
}

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
