import { IdewireError } from "../../errors.ts";
import { jsonSchemaValidator } from "../../json-schema/validator.ts";
import type { ParseResult } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { CallToolResult } from "../content.ts";
import type { JsonSchema } from "../protocol.ts";
import { parseStandard } from "../schemas/compile-schema.ts";
import type { StandardSchema } from "../schemas/standard-schema.ts";

/** The schema of a tool's structured result: any Standard Schema, or JSON Schema. */
export type OutputSchema<Output> = StandardSchema<unknown, Output> | JsonSchema;

/** The result of a tool whose output was checked: the output, or a failure of the tool. */
export type CheckedToolResult<Output> =
  | (Omit<CallToolResult, "structuredContent" | "isError"> & {
      readonly structuredContent: Output;
      readonly isError?: false;
    })
  | (CallToolResult & { readonly isError: true });

/** Checks the result of a tool. @throws IdewireError `protocol` for output that is missing or does not match */
export type OutputCheck<Output> = (result: CallToolResult) => CheckedToolResult<Output>;

type Parse = (value: unknown) => ParseResult<unknown>;

/** JSON Schemas are compiled once, however many calls use them. */
const compiled = new WeakMap<object, Parse>();

/**
 * Creates the check that a client SHOULD make of a tool's results (MCP 2025-11-25, Server / Tools /
 * Output Schema). Failures of the tool pass.
 * @param redactor the client whose secrets are kept out of what is thrown
 * @throws IdewireError `invalid-argument` for an unusable schema
 */
export function createOutputCheck<Output>(
  tool: string,
  schema: OutputSchema<Output>,
  redactor: Redactor,
): OutputCheck<Output> {
  const parse = parserOf(schema);
  const wrong = (issue: string) => {
    const text = `The result of ${redactor.redact(tool)} is wrong: ${redactor.redact(issue)}`;
    return new IdewireError("protocol", text);
  };
  return (result) => {
    if (result.isError === true) return { ...result, isError: true };
    const { structuredContent, isError: _, ...rest } = result;
    if (structuredContent === undefined) throw wrong("it has no structuredContent");
    const found = parse(structuredContent);
    if (found.ok) return { ...rest, structuredContent: found.value as Output };
    // An issue may quote a part of a secret, which is not recognised by itself.
    const shown = parse(redactor.redact(structuredContent));
    throw wrong(shown.ok ? found.issue : shown.issue);
  };
}

function parserOf(schema: OutputSchema<unknown>): Parse {
  if (isStandard(schema)) return (value) => parseStandard(schema, value);
  if (!isObject(schema)) {
    const seen = describeValue(schema);
    const text = `output: expected a Standard Schema or JSON Schema, got ${seen}`;
    throw new IdewireError("invalid-argument", text);
  }
  const parse = compiled.get(schema) ?? jsonSchemaValidator.compile(schema);
  compiled.set(schema, parse);
  return parse;
}

/** Schemas of some libraries are functions. */
function isStandard(schema: unknown): schema is StandardSchema {
  const isAny = typeof schema === "function" || (typeof schema === "object" && schema !== null);
  return isAny && "~standard" in schema;
}
