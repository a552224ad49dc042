import { toJsonSchema } from "@valibot/to-json-schema";
import { type GenericSchema, getDotPath, safeParse } from "valibot";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { ObjectSchema } from "../protocol.ts";

/** What a tool takes: its JSON Schema for the client, and the check of what then comes. */
export interface ToolInput<Arguments> {
  readonly jsonSchema: ObjectSchema;
  /** The issue names the argument, the value seen and what was expected. */
  parse(value: unknown): ParseResult<Arguments>;
}

/** A tool's input by a valibot schema of an object with plain members. */
export function valibotInput<Arguments>(
  schema: GenericSchema<unknown, Arguments>,
): ToolInput<Arguments> {
  return schemaInput(schema, toObjectSchema(schema));
}

/** A tool's input by a valibot schema, and the JSON Schema that says the same. */
export function schemaInput<Arguments>(
  schema: GenericSchema<unknown, Arguments>,
  jsonSchema: ObjectSchema,
): ToolInput<Arguments> {
  return {
    jsonSchema,
    parse(value) {
      if (!isObject(value)) {
        return refused(`arguments: expected object, got ${describeValue(value)}`);
      }
      const result = safeParse(schema, value);
      if (result.success) return parsed(result.output);
      return refused(describeIssues(result.issues, jsonSchema));
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

type Issues = Extract<ReturnType<typeof safeParse>, { success: false }>["issues"];

function describeIssues(issues: Issues, jsonSchema: ObjectSchema): string {
  return issues
    .slice(0, 3)
    .map((issue) => {
      const where = getDotPath(issue) ?? "arguments";
      const expected = issue.input === undefined ? typeOf(where, jsonSchema) : issue.expected;
      return `${where}: expected ${expected ?? issue.message}, got ${describeValue(issue.input)}`;
    })
    .join("; ");
}

/** What the schema says of an argument that is missing: valibot only says that it is. */
function typeOf(argument: string, { properties }: ObjectSchema): string {
  const property = isObject(properties) ? properties[argument] : undefined;
  return isObject(property) && typeof property["type"] === "string" ? property["type"] : "a value";
}
