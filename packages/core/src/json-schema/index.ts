// For whoever checks by plain JSON Schema: an entry of its own, so that nobody else loads the library.
import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { describeValue, IdewireError, isObject, type SchemaValidator } from "../index.ts";

const drafts: readonly (readonly [name: string, draft: SchemaDraft])[] = [
  ["/draft-04/", "4"],
  ["/draft-07/", "7"],
  ["/2019-09/", "2019-09"],
  ["/2020-12/", "2020-12"],
];

/**
 * The validator of `@cfworker/json-schema`: it generates no code, so that it works under a strict
 * Content Security Policy, and fetches nothing. Without `$schema` a schema is of 2020-12 (MCP
 * 2025-11-25, Basic / JSON Schema Usage).
 */
export const jsonSchemaValidator: SchemaValidator = {
  compile(schema) {
    // The library writes marks into the schema: it gets one of its own.
    const own = JSON.parse(JSON.stringify(schema)) as Schema;
    const validator = new Validator(own, draftOf(schema["$schema"]));
    requireAllReferences(validator);
    return (value) => {
      try {
        const { valid, errors } = validator.validate(value);
        return valid ? { ok: true, value } : { ok: false, issue: describeErrors(errors, value) };
      } catch (error) {
        // A pattern that is none, a key that is no text, a value that is deeper than the stack.
        return { ok: false, issue: `it cannot be checked: ${error}` };
      }
    };
  },
};

function draftOf(dialect: unknown): SchemaDraft {
  if (dialect === undefined) return "2020-12";
  const known = drafts.find(([name]) => typeof dialect === "string" && dialect.includes(name));
  if (known !== undefined) return known[1];
  const seen = describeValue(dialect);
  throw new IdewireError("invalid-argument", `No such dialect of JSON Schema: ${seen}`);
}

/** The library says what it misses only when a value gets there. */
function requireAllReferences(validator: Validator): void {
  const { lookup } = validator as unknown as { lookup: Readonly<Record<string, unknown>> };
  for (const part of Object.values(lookup)) {
    if (!isObject(part)) continue;
    const target = part["__absolute_ref__"];
    if (typeof target === "string" && !(target in lookup)) {
      const seen = describeValue(part["$ref"]);
      throw new IdewireError("invalid-argument", `$ref ${seen} is not in the schema itself`);
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
  const keys = instanceLocation
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  let seen = value;
  for (const key of keys) seen = (seen as Readonly<Record<string, unknown>> | undefined)?.[key];
  return `${keys.join(".") || "it"}: ${error} Got ${describeValue(seen)}`;
}
