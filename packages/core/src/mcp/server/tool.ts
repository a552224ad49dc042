import { IdewireError } from "../../errors.ts";
import type { DeepReadonly } from "../../exactly.ts";
import { optionNames, requireFunction, requireKnownOptions, requireTexts } from "../../misuse.ts";
import { type ParseResult, parsed, refused } from "../../parse-result.ts";
import { isObject } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { type CallToolResult, structuredResult, ToolResult, textResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import { parseWithNulls } from "../schemas/absent-nulls.ts";
import {
  type CompiledInput,
  type CompiledSchema,
  compileInput,
  compileOutput,
} from "../schemas/compile-schema.ts";
import type { InferInput, InferOutput, InputSchema, Schema } from "../schemas/infer.ts";
import type { ServerCall } from "./server-call.ts";

/** The definition of a tool, beside its name and handler. */
export interface ToolOptions<
  Context = unknown,
  Input extends InputSchema = InputSchema,
  Output extends Schema | undefined = Schema | undefined,
> extends Omit<ToolDescription, "name" | "inputSchema" | "outputSchema"> {
  /** The schema of the arguments; without it the tool takes none. */
  readonly input?: Input;
  /** The schema of the structured result; without it the tool has none. */
  readonly output?: Output;
  /**
   * Whether `tools/list` includes it, true by default; an unlisted tool can still be called. A function is called
   * when the tools of the server have changed.
   */
  readonly listed?: boolean | (() => boolean);
  /**
   * The scopes that a call requires, such as `["write"]`. Without them it is refused: over HTTP by 403 with a
   * challenge that names them, elsewhere by an error. A client's scopes come from `authorize` or
   * `protectResource`, or from the option `scopes` of `connect`.
   */
  readonly scopes?: readonly string[];
  /** Whether a caller sees the tool; to others it is unknown. Called for each list and each call. */
  visible?(this: void, call: ServerCall<Context>): boolean;
}

/** Answers the calls of a tool. */
export type ToolHandler<Context, Input, Answer> = {
  handle(args: InferOutput<Input>, call: ServerCall<Context>): Answer | Promise<Answer>;
}["handle"];

/** The result of a tool without an `output`: a text, or a whole result. */
export type ToolAnswer = string | CallToolResult;

/** The result of a tool with an `output`: a value of it, alone or with other content by {@link toolResult}. */
export type StructuredAnswer<Output> =
  | DeepReadonly<InferInput<Output>>
  | ToolResult<DeepReadonly<InferInput<Output>>>;

/** The schema of a tool without arguments. */
export type NoInput = {
  readonly type: "object";
  readonly properties: Readonly<Record<never, never>>;
};

/** A tool of a server. */
export interface Tool<Context> {
  readonly description: ToolDescription;
  readonly listed: boolean | (() => boolean);
  readonly scopes?: readonly string[];
  visible?(this: void, call: ServerCall<Context>): boolean;
  /** Loads the libraries of `parse` and `run`; undefined once loaded. Absent if none are needed. */
  load?(this: void): Promise<void> | undefined;
  parse(args: unknown): ParseResult<unknown>;
  /** @param args the value that `parse` returned */
  run(args: unknown, call: ServerCall<Context>): CallToolResult | Promise<CallToolResult>;
}

/** Checked by hand, since most servers have no other schema that needs a library. */
const noInput: CompiledInput = {
  jsonSchema: { type: "object", properties: {} } satisfies NoInput,
  parse: (value) =>
    isObject(value) ? parsed(value) : refused(`expected object, got ${describeValue(value)}`),
};

const names = optionNames<ToolOptions>({
  title: true,
  description: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  _meta: true,
  listed: true,
  scopes: true,
  visible: true,
});

/** @throws IdewireError `invalid-argument` for a definition that cannot be used, with the name of the tool */
export function createTool<Context>(
  name: string,
  options: ToolOptions<Context>,
  handler: (args: never, call: ServerCall<Context>) => unknown,
): Tool<Context> {
  const owner = `tool ${describeValue(name)}`;
  requireKnownOptions(owner, options, names);
  requireFunction(`${owner}, handler`, handler);
  const { input, output, listed = true, scopes, visible, ...description } = options;
  if (scopes !== undefined) requireTexts(`${owner}, scopes`, scopes);
  if (visible !== undefined) requireFunction(`${owner}, visible`, visible);
  const compiledInput = input === undefined ? noInput : compileInput(`${owner}, input`, input);
  const compiledOutput = output && compileOutput(`${owner}, output`, output);
  const finish = (answer: unknown) => toResult(name, compiledOutput, answer);
  return {
    description: {
      name,
      ...description,
      inputSchema: compiledInput.jsonSchema,
      ...(compiledOutput && { outputSchema: compiledOutput.jsonSchema }),
    },
    ...{ listed, ...(scopes && { scopes }), ...(visible && { visible }) },
    ...loaderOf(compiledInput, compiledOutput),
    parse: (args) => parseWithNulls(compiledInput, args),
    run: (args, call) => {
      const answer = handler(args as never, call);
      return answer instanceof Promise ? answer.then(finish) : finish(answer);
    },
  };
}

function loaderOf(
  input: CompiledInput,
  output: CompiledSchema | undefined,
): Pick<CompiledSchema, "load"> {
  const loaders = [input.load, output?.load].filter((load) => load !== undefined);
  if (loaders.length === 0) return {};
  return {
    load() {
      const loading = loaders.map((load) => load()).filter((promise) => promise !== undefined);
      return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
    },
  };
}

function toResult(
  name: string,
  output: CompiledSchema | undefined,
  answer: unknown,
): CallToolResult {
  if (output === undefined) {
    if (typeof answer === "string") return textResult(answer);
    if (isObject(answer) && Array.isArray(answer["content"])) {
      return answer instanceof ToolResult ? { ...answer } : (answer as unknown as CallToolResult);
    }
    throw invalidResult(
      name,
      `expected a string or { content: [...] }, got ${describeValue(answer)}`,
    );
  }
  if (!(answer instanceof ToolResult)) return structuredResult(checked(name, output, answer));
  if (answer.isError === true) return { ...answer };
  return { ...answer, structuredContent: checked(name, output, answer.structuredContent) };
}

/**
 * A server MUST conform to its own output schema (MCP 2025-11-25, Server / Tools / Output Schema).
 */
function checked(name: string, output: CompiledSchema, value: unknown): unknown {
  const result = output.parse(value);
  if (result.ok) return result.value;
  throw invalidResult(name, result.issue);
}

function invalidResult(name: string, why: string): IdewireError {
  return new IdewireError("invalid-argument", `The result of tool ${describeValue(name)}: ${why}`);
}
