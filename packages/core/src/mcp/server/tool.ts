import { toJsonSchema } from "@valibot/to-json-schema";
import { type GenericSchema, getDotPath, safeParse } from "valibot";
import { IdewireError } from "../../errors.ts";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import type { Call } from "../../rpc/call.ts";
import { describeValue, isObject } from "../../rpc/message.ts";
import type { CallToolResult } from "../content.ts";
import type { ObjectSchema, ToolDescription } from "../protocol.ts";

/** What a tool takes: its JSON Schema for the client, and the check of what then comes. */
export interface ToolInput<Arguments> {
  readonly jsonSchema: ObjectSchema;
  /** The issue names the argument, the value seen and what was expected. */
  parse(value: unknown): ParseResult<Arguments>;
}

/** A tool as a server holds it. `Context` is what the server knows of the connection. */
export interface Tool<Context> {
  readonly description: ToolDescription;
  /** Whether `tools/list` shows it; it can be called all the same. */
  readonly listed: boolean;
  parse(args: unknown): ParseResult<unknown>;
  /**
   * @param args what `parse` gave
   * @throws ToolFailure for a failure that the model should read
   */
  run(args: never, context: Context, call: Call): CallToolResult | Promise<CallToolResult>;
}

/** What a tool's `structuredContent` is: its JSON Schema, and the check of it. */
export type ToolOutput = ToolInput<unknown>;

/** What {@link defineTool} takes. */
export interface ToolDefinition<Arguments, Context>
  extends Omit<ToolDescription, "inputSchema" | "outputSchema"> {
  readonly input: ToolInput<Arguments>;
  /** With it, each result but a failure has `structuredContent`, which is checked before it leaves. */
  readonly output?: ToolOutput;
  /** True when left out. */
  readonly listed?: boolean;
  run(
    this: void,
    args: Arguments,
    context: Context,
    call: Call,
  ): CallToolResult | Promise<CallToolResult>;
}

/** Makes a tool whose arguments are checked before it runs. */
export function defineTool<Arguments, Context = unknown>(
  definition: ToolDefinition<Arguments, Context>,
): Tool<Context> {
  const { input, output, listed = true, run, ...description } = definition;
  const { name } = description;
  return {
    description: {
      ...description,
      inputSchema: input.jsonSchema,
      ...(output !== undefined && { outputSchema: output.jsonSchema }),
    },
    listed,
    parse: (args) => input.parse(args),
    run: (args: Arguments, context, call) => {
      const result = run(args, context, call);
      if (output === undefined) return result;
      return result instanceof Promise
        ? result.then((late) => checked(name, output, late))
        : checked(name, output, result);
    },
  };
}

/** The server MUST conform to its own schema (MCP 2025-11-25, Server / Tools / Output Schema). */
function checked(name: string, output: ToolOutput, result: CallToolResult): CallToolResult {
  if (result.isError === true) return result;
  const parts = output.parse(result.structuredContent);
  if (!parts.ok) {
    throw new IdewireError("invalid-argument", `The result of ${name} is wrong: ${parts.issue}`);
  }
  return { ...result, structuredContent: parts.value as Readonly<Record<string, unknown>> };
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
