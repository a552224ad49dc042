import { IdewireError } from "../../errors.ts";
import { createLazyCheck, type LazyCheck } from "../../json-schema/lazy-check.ts";
import { isObject } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import { describeValue } from "../../text/describe-value.ts";
import type { CallToolResult } from "../content.ts";
import type { JsonSchema } from "../protocol.ts";
import { isStandard, parseStandard, type StandardSchema } from "../schemas/standard-schema.ts";

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
export type OutputCheck<Output> = (result: CallToolResult) => Promise<CheckedToolResult<Output>>;

/** JSON Schemas are compiled once, however many calls use them. */
const compiled = new WeakMap<object, LazyCheck>();

/**
 * Creates the check that a client SHOULD make of a tool's results (MCP 2025-11-25, Server / Tools / Output
 * Schema). Failures of the tool pass.
 * @param redactor removes the client's secrets from errors
 * @throws IdewireError `invalid-argument` for an unusable schema
 */
export function createOutputCheck<Output>(
  tool: string,
  schema: OutputSchema<Output>,
  redactor: Redactor,
): OutputCheck<Output> {
  const check = checkOf(schema);
  const wrong = (issue: string) => {
    const text = `The result of ${redactor.redact(tool)} is wrong: ${redactor.redact(issue)}`;
    return new IdewireError("protocol", text);
  };
  return async (result) => {
    if (result.isError === true) return { ...result, isError: true };
    const { structuredContent, isError: _, ...rest } = result;
    if (structuredContent === undefined) throw wrong("it has no structuredContent");
    await check.load?.();
    const found = check.parse(structuredContent);
    if (found.ok) return { ...rest, structuredContent: found.value as Output };
    // An issue may quote a part of a secret, which is not recognised by itself.
    const shown = check.parse(redactor.redact(structuredContent));
    throw wrong(shown.ok ? found.issue : shown.issue);
  };
}

function checkOf(schema: OutputSchema<unknown>): Pick<LazyCheck, "parse"> & Partial<LazyCheck> {
  if (isStandard(schema)) return { parse: (value) => parseStandard(schema, value) };
  if (!isObject(schema)) {
    const seen = describeValue(schema);
    const text = `output: expected a Standard Schema or JSON Schema, got ${seen}`;
    throw new IdewireError("invalid-argument", text);
  }
  const check = compiled.get(schema) ?? createLazyCheck(schema);
  compiled.set(schema, check);
  return check;
}
