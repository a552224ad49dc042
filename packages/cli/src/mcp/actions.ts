import type { ContentBlock, GetPromptResult, ResourceContents } from "@idewire/core/client";
import type { CompletionReference, PromptArguments } from "@idewire/core/internal";
import { describeValue } from "@idewire/core/internal";
import { IdewireError, type Params, type Progress, type RequestOptions } from "@idewire/core/rpc";
import { line, toText } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { checkOutput } from "./check-output.ts";
import { type ShownMethod, showItems } from "./check-shown.ts";
import type { McpAction } from "./mcp-call.ts";
import type { ConnectedContext } from "./open-client.ts";
import { showContent, showContents, showEntry, showTool } from "./show-results.ts";
import { warnIn } from "./warn-in.ts";

/** Resolves to the exit code. */
export type Action = (context: ConnectedContext) => Promise<number>;

/** Actions with a single request. */
type OneAction = Exclude<McpAction, "listen" | "connect" | "login" | "logout">;

/** By name. */
export const actions: Readonly<Record<OneAction, Action>> = {
  async tools(context) {
    const { client, printer, run } = context;
    const tools = await client.listTools(stoppable(context));
    list(context, "tools/list", tools, (tool) => showTool(tool, printer));
    const hidden = "No tool is left: --tools and --hide-tools hide all of them.";
    const none = run.filter?.hasHidden === true ? hidden : "The server has no tools.";
    return endList(context, tools.length, none);
  },
  call,
  async resources(context) {
    const { client, printer } = context;
    const resources = await client.listResources(stoppable(context));
    list(context, "resources/list", resources, (entry) => showEntry(entry.uri, entry, printer));
    const templates = await client.listResourceTemplates(stoppable(context));
    list(context, "resources/templates/list", templates, (entry) =>
      showEntry(entry.uriTemplate, entry, printer),
    );
    const count = resources.length + templates.length;
    return endList(context, count, "The server has no resources.");
  },
  read,
  async prompts(context) {
    const prompts = await context.client.listPrompts(stoppable(context));
    list(context, "prompts/list", prompts, (prompt) => {
      const names = (prompt.arguments ?? []).map(({ name, required }) =>
        required === true ? name : `[${name}]`,
      );
      showEntry([prompt.name, ...names].join(" "), prompt, context.printer);
    });
    return endList(context, prompts.length, "The server has no prompts.");
  },
  prompt,
  complete: completeArgument,
};

/** For requests that a server answers by itself. */
function stoppable({ stop, run: { timeoutMs } }: ConnectedContext): RequestOptions {
  return { signal: stop.signal, timeoutMs };
}

/** The time-out of a call without a person at a terminal: the same as that of MCP Inspector. */
const CALL_TIMEOUT_MS = 300_000;

/** The person may be asked in between, which does not count. */
function patient(context: ConnectedContext): RequestOptions {
  const { client, questions, run } = context;
  const usual = questions.canAsk ? Number.POSITIVE_INFINITY : CALL_TIMEOUT_MS;
  const { quoteError } = questions.printer;
  return {
    ...stoppable(context),
    timeoutMs: run.timeoutMs ?? usual,
    resetTimeoutOnProgress: true,
    onSent: (id) => {
      questions.onasking = (isAsking) => client.peer.requests?.hold(id, isAsking);
    },
    ...(run.action === "call" && {
      onProgress: ({ progress, total, message = "" }: Progress) => {
        const whole = total === undefined ? "" : `/${total}`;
        const words = message === "" ? "" : ` ${message}`;
        quoteError(`progress ${progress}${whole}${words}`);
      },
    }),
  };
}

/** Shows the result of a list method. */
function list<T>(
  context: ConnectedContext,
  method: ShownMethod,
  entries: readonly T[],
  show: (entry: T) => void,
): void {
  const { run, printer } = context;
  if (run.isJson) for (const entry of entries) printer.json(entry);
  else showItems(method, entries, { show, warn: warnIn(context) });
}

/** @param none the message for an empty list */
function endList({ printer }: ConnectedContext, count: number, none: string): number {
  if (count === 0) printer.fail(line`${none}`);
  return ExitCode.Ok;
}

async function call(context: ConnectedContext): Promise<number> {
  const { client, run, printer } = context;
  const [name = ""] = run.names;
  const result = await client.callTool(name, run.args, patient(context));
  const { content, structuredContent, isError } = result;
  if (run.isJson) printer.json(result);
  else if (content.length === 0 && structuredContent !== undefined) printer.json(structuredContent);
  else {
    const show = (item: ContentBlock) => showContent(item, printer);
    showItems("tools/call", content, { show, warn: warnIn(context) });
  }
  await checkOutput(context, result);
  if (isError !== true) return ExitCode.Ok;
  if (content.length === 0 && structuredContent === undefined) {
    printer.fail(line`${name} failed without a message.`);
  }
  return ExitCode.ToolFailed;
}

async function read(context: ConnectedContext): Promise<number> {
  const { client, run, printer } = context;
  const [uri = ""] = run.names;
  const contents = await client.readResource(uri, patient(context));
  if (run.isJson) printer.json({ contents });
  else {
    const show = (item: ResourceContents) => showContents(item, printer);
    showItems("resources/read", contents, { show, warn: warnIn(context) });
  }
  return ExitCode.Ok;
}

async function prompt(context: ConnectedContext): Promise<number> {
  const { client, run, printer } = context;
  const [name = ""] = run.names;
  const result = await client.getPrompt(name, toTexts(run.args), patient(context));
  if (run.isJson) printer.json(result);
  else {
    const show = ({ role, content }: GetPromptResult["messages"][number]) => {
      printer.quote(toText(`${role}:`), printer.palette.bold);
      showContent(content, printer);
    };
    showItems("prompts/get", result.messages, { show, warn: warnIn(context) });
  }
  return ExitCode.Ok;
}

/** MCP 2025-11-25, Server / Prompts: arguments are strings. */
function toTexts(args: Params): PromptArguments {
  const wrong = Object.entries(args).find(([, value]) => typeof value !== "string");
  if (wrong === undefined) return args as PromptArguments;
  const seen = `${wrong[0]}: expected a string, got ${describeValue(wrong[1])}`;
  throw new IdewireError("invalid-argument", `The arguments of a prompt are strings; ${seen}`);
}

async function completeArgument(context: ConnectedContext): Promise<number> {
  const { client, run, printer } = context;
  const [target = "", typed = ""] = run.names;
  const [argument = "", ...value] = typed.split("=");
  const isTemplate = /[:{]/.test(target);
  const reference: CompletionReference = isTemplate
    ? { type: "ref/resource", uri: target }
    : { type: "ref/prompt", name: target };
  const question = { reference, argument, value: value.join("=") };
  const found = await client.complete(question, stoppable(context));
  if (run.isJson) printer.json(found);
  else {
    const show = (each: string) => printer.quote(toText(each));
    showItems("completion/complete", found.values, { show, warn: warnIn(context) });
  }
  return endList(context, found.values.length, "The server suggests no values.");
}
