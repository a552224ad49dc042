import { ToolFailure } from "../errors.ts";
import type { CallToolResult } from "../mcp/content.ts";
import { plainInput } from "../mcp/schemas/plain-input.ts";
import type { StandardSchema } from "../mcp/schemas/standard-schema.ts";
import type { ServerCall } from "../mcp/server/server-call.ts";
import type { ToolOptions } from "../mcp/server/tool.ts";
import type { Platform } from "../paths/posix-path.ts";
import type { EditorHost } from "./editor-host.ts";
import type { IdeSession } from "./session/ide-session.ts";

/** The context of an IDE tool. */
export interface IdeToolContext {
  readonly host: EditorHost;
  readonly session: IdeSession;
  readonly call: ServerCall<IdeSession>;
  /** How the machine of the agent writes its paths. */
  readonly platform: Platform;
}

/** The arguments of a tool without any. */
export type NoArguments = Record<never, never>;

/** The input of a tool without arguments. */
export const noInput: StandardSchema<unknown, NoArguments> = plainInput<NoArguments>({});

/**
 * A tool independent of any dialect: its schema, the host member that it needs, and the call of the
 * host. How the outcome looks on the wire is up to the dialect.
 */
export interface IdeTool<Arguments, Outcome> {
  readonly title: string;
  readonly description: string;
  /** The schema of the arguments, of any Standard Schema library. */
  readonly input: StandardSchema<unknown, Arguments>;
  readonly readOnly: boolean;
  /** The host member without which the tool is not listed; when it is called all the same, it does what it can. */
  readonly needs?: keyof EditorHost;
  run(args: Arguments, context: IdeToolContext): Promise<Outcome>;
}

/** Encodes an outcome for the agent; receives the agent's arguments, too. */
export type EncodeOutcome<Arguments, Outcome> = (
  outcome: Outcome,
  args: Arguments,
  session: IdeSession,
) => CallToolResult;

/** How one dialect spells a tool. */
export interface ToolBinding<Arguments, Outcome> {
  readonly name: string;
  /** The tool's own by default. */
  readonly description?: string;
  readonly host: EditorHost;
  readonly platform: Platform;
  readonly encode: EncodeOutcome<Arguments, Outcome>;
  /** The result for a failure; one with `isError` by default. */
  readonly encodeFailure?: (failure: ToolFailure) => CallToolResult;
}

/** A tool of one host in one dialect, for `McpServer.tool`. */
export interface BoundTool extends ToolOptions<IdeSession, StandardSchema, undefined> {
  readonly name: string;
  readonly input: StandardSchema;
  readonly listed?: () => boolean;
  run(
    this: void,
    args: unknown,
    call: ServerCall<IdeSession>,
  ): CallToolResult | Promise<CallToolResult>;
}

/** Gives a tool its name and its results in one dialect. */
export function bindTool<Arguments, Outcome>(
  tool: IdeTool<Arguments, Outcome>,
  binding: ToolBinding<Arguments, Outcome>,
): BoundTool {
  const { name, description = tool.description, host, platform, encode, encodeFailure } = binding;
  return {
    name,
    title: tool.title,
    description,
    input: tool.input,
    annotations: { readOnlyHint: tool.readOnly },
    listed: () => tool.needs === undefined || host[tool.needs] !== undefined,
    run: (given, call) => {
      const args = given as Arguments;
      const context = { host, session: call.context, call, platform };
      return tool.run(args, context).then(
        (outcome) => encode(outcome, args, call.context),
        (error: unknown) => {
          if (encodeFailure !== undefined && error instanceof ToolFailure)
            return encodeFailure(error);
          throw error;
        },
      );
    },
  };
}

/** Binds tools to one host: by their name on the wire and the encoder of their outcome. */
export function toolBinder(host: EditorHost, platform: Platform): ToolBinder {
  return (tool, name, encode, more) => bindTool(tool, { host, platform, name, encode, ...more });
}

export type ToolBinder = <Arguments, Outcome>(
  tool: IdeTool<Arguments, Outcome>,
  name: string,
  encode: EncodeOutcome<Arguments, Outcome>,
  more?: Pick<ToolBinding<Arguments, Outcome>, "description" | "encodeFailure">,
) => BoundTool;
