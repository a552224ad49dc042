import { toJsonSchema } from "@valibot/to-json-schema";
import { type GenericSchema, safeParse } from "valibot";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { JsonSchema, ObjectSchema } from "../protocol.ts";
import { describeIssues } from "./valibot-issues.ts";

/** The arguments of a tool: their JSON Schema for the client, and their validation. */
export interface ToolInput<Arguments> {
  readonly jsonSchema: ObjectSchema;
  /** Validates arguments; an issue names the argument, the value seen and what was expected. */
  parse(value: unknown): ParseResult<Arguments>;
}

/** A tool's `structuredContent`, any JSON value: its JSON Schema and validation. */
export interface ToolOutput<T = unknown> {
  readonly jsonSchema: JsonSchema;
  parse(value: unknown): ParseResult<T>;
}

/** A tool's input by a valibot schema of an object whose members are plain JSON values. */
export function valibotInput<Arguments>(
  schema: GenericSchema<unknown, Arguments>,
): ToolInput<Arguments> {
  return {
    jsonSchema: toObjectSchema(schema),
    parse(value) {
      if (!isObject(value)) {
        return refused(`arguments: expected object, got ${describeValue(value)}`);
      }
      const result = safeParse(schema, value);
      if (result.success) return parsed(result.output);
      return refused(describeIssues(schema, result.issues, "arguments"));
    },
  };
}

function toObjectSchema(schema: GenericSchema): ObjectSchema {
  const { $schema: _, ...body } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
  });
  return body as ObjectSchema;
}
