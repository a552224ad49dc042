import { describeValue, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../check.ts";
import type { CheckContext, ReadyAgent } from "../context.ts";
import { findSchemaFault } from "../schema-fault.ts";
import { mcp, measured } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";

/** The tools that Claude Code calls unasked, listed or not. */
const CALLED: readonly string[] = ["openDiff", "close_tab", "closeAllDiffTabs", "getDiagnostics"];

/** Checks of the list of tools and of their calls. */
export const toolChecks: readonly Check[] = [
  {
    id: "IDE-TOOL-001",
    level: "must",
    overHttp: true,
    rule: "tools/list returns tools with unique names and an inputSchema of the type object.",
    source: mcp("Tools, Data Types"),
    async run(context) {
      const tools = await listTools(context);
      const names = tools.map(({ name }) => name);
      for (const { name, inputSchema } of tools) {
        demand(typeof name === "string" && name !== "", `a name is ${describeValue(name)}`);
        const type = isObject(inputSchema) ? inputSchema["type"] : undefined;
        demand(type === "object", `the inputSchema of ${name} has the type ${describeValue(type)}`);
        demand(names.filter((other) => other === name).length === 1, `${name} is listed twice`);
      }
      return `${tools.length} tools`;
    },
  },
  {
    id: "IDE-TOOL-002",
    level: "must",
    overHttp: true,
    rule: "Each inputSchema is a self-contained JSON Schema.",
    source: mcp("Basic, JSON Schema Usage"),
    async run(context) {
      const tools = await listTools(context);
      for (const { name, inputSchema } of tools) {
        const fault = findSchemaFault(inputSchema);
        demand(fault === undefined, `the inputSchema of ${describeValue(name)}: ${fault}`);
      }
    },
  },
  {
    id: "IDE-TOOL-003",
    level: "should",
    rule: `${CALLED.join(", ")} are listed.`,
    source: measured("Tools"),
    note: "Claude Code calls them whether they are listed or not; it offers getDiagnostics to its model only if it is listed.",
    async run(context) {
      const tools = await listTools(context);
      const missing = CALLED.filter((wanted) => !tools.some(({ name }) => name === wanted));
      demand(missing.length === 0, `${missing.join(", ")} is not listed`);
    },
  },
  {
    id: "IDE-TOOL-004",
    level: "must",
    overHttp: true,
    rule: "A call of a tool that does not exist is answered with an error, or with a result that has isError.",
    source: mcp("Tools, Error Handling"),
    async run(context) {
      const { connection } = await context.ready();
      const params = { name: "idewire_no_such_tool", arguments: {} };
      const { message } = await connection.request("tools/call", params);
      demand(isRefusal(message), "it was answered with a result that is not an error");
    },
  },
  {
    id: "IDE-TOOL-005",
    level: "must",
    rule: "Invalid arguments are answered with an error, or with a result that has isError.",
    source: mcp("Tools, Error Handling"),
    hostile: true,
    async run(context) {
      const { connection } = await withTool(context, "getDiagnostics");
      const params = { name: "getDiagnostics", arguments: { uri: 42 } };
      const { message } = await connection.request("tools/call", params);
      demand(isRefusal(message), "uri 42 was answered with a result that is not an error");
    },
  },
  {
    id: "IDE-TOOL-006",
    level: "must",
    rule: "close_tab for a tab that does not exist is answered, with a result or an error.",
    source: measured("Tools"),
    note: "Claude Code closes each diff once or twice, however it ended; it does not read the answer.",
    async run(context) {
      const { connection } = await context.ready();
      const args = { tab_name: "✻ [Claude Code] idewire-check.txt (000000) ⧉" };
      const { message } = await connection.request("tools/call", {
        name: "close_tab",
        arguments: args,
      });
      return isRefusal(message) ? "with an error" : undefined;
    },
  },
  {
    id: "IDE-TOOL-007",
    level: "must",
    rule: "The result of a tool has content: a list of items, each with its type and the members of that type.",
    source: mcp("Tools, Tool Result"),
    async run(context) {
      const { connection } = await context.ready();
      const { result } = await connection.callTool("getDiagnostics");
      demandContent(result);
    },
  },
];

/** The tools of the server; its answer is evidence. */
export async function listTools(context: CheckContext): Promise<readonly Params[]> {
  const { list } = await context.ready();
  if (list === undefined) throw new CheckSkipped("the server declares no tools");
  context.cite(list);
  const { tools } = list.result;
  const isList = Array.isArray(tools) && tools.every(isObject);
  demand(isList, `tools is ${describeValue(tools)}`);
  return tools;
}

/**
 * A ready agent.
 * @throws CheckSkipped when the server does not list the tool.
 */
export async function withTool(context: CheckContext, wanted: string): Promise<ReadyAgent> {
  const agent = await context.ready();
  const tools = agent.list?.result["tools"];
  const isListed =
    Array.isArray(tools) && tools.some((tool) => isObject(tool) && tool["name"] === wanted);
  if (!isListed) throw new CheckSkipped(`the editor lists no ${wanted}`);
  return agent;
}

function isRefusal({ error, result }: { readonly error?: unknown; readonly result?: unknown }) {
  return error !== undefined || (isObject(result) && result["isError"] === true);
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource: ["resource"],
  resource_link: ["uri", "name"],
};

/**
 * The content of a result.
 * @throws CheckFailed when its shape is wrong.
 */
export function demandContent({ content, isError }: Params): readonly Params[] {
  const isList = Array.isArray(content) && content.every(isObject);
  demand(isList, `content is ${describeValue(content)}`);
  const isFlag = isError === undefined || typeof isError === "boolean";
  demand(isFlag, `isError is ${describeValue(isError)}`);
  for (const item of content as readonly Params[]) {
    const type = String(item["type"]);
    const members = MEMBERS[type];
    demand(members !== undefined, `an item of content has the type ${describeValue(item["type"])}`);
    const missing = members.find((key) => item[key] === undefined || item[key] === null);
    demand(missing === undefined, `an item of the type ${type} has no ${missing}`);
  }
  return content;
}
