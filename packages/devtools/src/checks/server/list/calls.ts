import { describeValue, isObject } from "@idewire/core/internal";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { textsOf } from "../../../texts-of.ts";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import { demandContent } from "../../list/tool.ts";
import { mcp } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { isReadOnly, requiredOf } from "../call-tools.ts";
import { describeAnswer } from "../checked-server.ts";
import { codeOf } from "./messages.ts";

const UNKNOWN = "idewire-no-such-tool";

/** Checks of calls: of no tool that is not annotated as read-only, unless requested. */
export const callChecks: readonly Check[] = [
  {
    id: "MCP-CALL-001",
    level: "must",
    rule: "A call of an unknown tool fails: with an error, or a result with isError.",
    source: mcp("Tools, Error Handling"),
    async run(context) {
      const answer = await callUnknown(context);
      const seen = describeAnswer(answer);
      demand(seen !== "a result", `it was answered with ${seen}`);
      return seen;
    },
  },
  {
    id: "MCP-CALL-002",
    level: "should",
    rule: "A call of an unknown tool is answered with the error -32602.",
    source: mcp("Tools, Error Handling"),
    note: "The high-level server of the official SDK answers with isError.",
    async run(context) {
      const answer = await callUnknown(context);
      const isRight = codeOf(answer.message.error) === -32602;
      demand(isRight, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-CALL-003",
    level: "should",
    rule: "A call without a required argument fails: with isError, or, before 2025-11-25, the error -32602.",
    source: mcp("Tools, Error Handling"),
    async run(context) {
      const session = await context.server.session(context);
      const tools = await context.server.entries(context, "tools");
      const tool = tools.find((each) => {
        return isReadOnly(each) && requiredOf(each["inputSchema"]).length > 0;
      });
      if (tool === undefined) throw new CheckSkipped("no read-only tool requires an argument");
      const answer = await session.request("tools/call", { name: tool["name"], arguments: {} });
      const { result, error } = answer.message;
      const isFailure = isObject(result) && result["isError"] === true;
      const isRefused = isFailure || codeOf(error) === -32602;
      const name = describeValue(tool["name"]);
      demand(isRefused, `${name} without arguments was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-CALL-004",
    level: "must",
    rule: "The content of a result is a list of items of known types, with the members of their types.",
    source: mcp("Tools"),
    async run(context) {
      const calls = await context.server.calls(context);
      for (const { tool, answer } of calls) {
        context.cite(answer);
        // Results of other types, such as questions, have other members.
        if ((answer.result["resultType"] ?? "complete") !== "complete") continue;
        const { content } = answer.result;
        const name = describeValue(tool["name"]);
        demand(Array.isArray(content), `content of ${name} is ${describeValue(content)}`);
        demandContent(answer.result);
      }
      return calls.map(({ tool }) => String(tool["name"])).join(", ");
    },
  },
  {
    id: "MCP-CALL-005",
    level: "must",
    since: "2025-06-18",
    rule: "A tool with an outputSchema answers with structuredContent that it admits.",
    source: mcp("Tools"),
    async run(context) {
      const calls = await structuredCalls(context);
      for (const { name, schema, value, answer } of calls) {
        context.cite(answer);
        demand(value !== undefined, `${name} has an outputSchema, and answers none`);
        const parsed = jsonSchemaValidator.compile(schema)(value);
        demand(parsed.ok, `${name}: ${parsed.ok ? "" : parsed.issue}`);
      }
      return calls.map(({ name }) => name).join(", ");
    },
  },
  {
    id: "MCP-CALL-006",
    level: "should",
    since: "2025-06-18",
    rule: "structuredContent is in the content as text, too, for clients that do not read it.",
    source: mcp("Tools"),
    async run(context) {
      for (const { name, value, answer } of await structuredCalls(context)) {
        if (value === undefined) continue;
        context.cite(answer);
        demand(textsOf(answer.result["content"]).length > 0, `${name} answers no text`);
      }
    },
  },
];

async function callUnknown(context: CheckContext) {
  const session = await context.server.session(context);
  if (!session.declares("tools")) throw new CheckSkipped("tools is not declared");
  return session.request("tools/call", { name: UNKNOWN, arguments: {} });
}

/** The complete, successful results of tools with an `outputSchema`. */
async function structuredCalls(context: CheckContext) {
  const calls = await context.server.calls(context);
  const structured = calls.flatMap(({ tool, answer }) => {
    const { outputSchema: schema } = tool;
    const { isError, resultType = "complete", structuredContent: value } = answer.result;
    if (!isObject(schema) || isError === true || resultType !== "complete") return [];
    return [{ name: describeValue(tool["name"]), schema, value, answer }];
  });
  if (structured.length === 0) throw new CheckSkipped("no tool with an outputSchema was called");
  return structured;
}
