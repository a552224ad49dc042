import type { CallToolResult } from "../mcp/content.ts";
import { defineTool, type Tool, type ToolInput } from "../mcp/tool.ts";
import type { Platform } from "../paths/posix-path.ts";
import type { Call } from "../rpc/call.ts";
import type { EditorHost } from "./editor-host.ts";
import type { IdeSession } from "./session.ts";

/** What an IDE tool works with. */
export interface IdeToolContext {
  readonly host: EditorHost;
  readonly session: IdeSession;
  readonly call: Call;
  /** How the machine of the agent writes its paths. */
  readonly platform: Platform;
}

/**
 * A tool before any dialect: schema, the host member that it needs, and the call of the host. What
 * the outcome looks like on the wire is the dialect's.
 */
export interface IdeTool<Arguments, Outcome> {
  readonly title: string;
  readonly description: string;
  readonly input: ToolInput<Arguments>;
  readonly readOnly: boolean;
  /** Without it the tool is not listed; called all the same, it does what it can. */
  readonly needs?: keyof EditorHost;
  run(args: Arguments, context: IdeToolContext): Promise<Outcome>;
}

/** Gives a tool its name and its answer in one dialect. */
export function bindTool<Arguments, Outcome>(
  tool: IdeTool<Arguments, Outcome>,
  binding: {
    readonly name: string;
    readonly host: EditorHost;
    readonly platform: Platform;
    readonly encode: (outcome: Outcome) => CallToolResult;
  },
): Tool<IdeSession> {
  const { name, host, platform, encode } = binding;
  return defineTool<Arguments, IdeSession>({
    name,
    title: tool.title,
    description: tool.description,
    input: tool.input,
    annotations: { readOnlyHint: tool.readOnly },
    listed: tool.needs === undefined || host[tool.needs] !== undefined,
    run: (args, session, call) => tool.run(args, { host, session, call, platform }).then(encode),
  });
}
