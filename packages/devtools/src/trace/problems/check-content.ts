import {
  describeValue,
  isCostly,
  isLegacyRevision,
  isObject,
  type LegacyRevision,
  type RawMessage,
} from "@idewire/core/internal";
import { textsOf } from "../../texts-of.ts";
import { type EventFacts, ideEvents } from "../catalogue/ide-events.ts";
import { claudeTools, type ToolAnswer } from "../catalogue/ide-tools.ts";
import { type MethodFacts, mcpMethods } from "../catalogue/mcp-methods.ts";
import { checkShape, type Shape, type ShapeIssue } from "../catalogue/shape.ts";
import { describeSource } from "../catalogue/source-links.ts";
import type { TracedRequest } from "../conversation/conversation.ts";
import type { Direction } from "../format/trace-event.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

/** The context of a message. */
export interface ContentPlace {
  readonly dir: Direction;
  /** JSON pointer to the message in its frame. */
  readonly pointer: string;
  /** The negotiated revision; undefined before `initialize` is answered. */
  readonly revision: LegacyRevision | undefined;
}

const events: ReadonlyMap<string, EventFacts> = new Map(
  ideEvents.map((facts) => [facts.method, facts]),
);
const PREFIX = "notifications/";

/** The problems of a request or a notification, by MCP and by the claude-code dialect. */
export function checkCall(message: RawMessage, place: ContentPlace): readonly Problem[] {
  const method = String(message.method);
  const params = message.params ?? {};
  if (!isObject(params)) return [];
  const facts = mcpMethods.get(method);
  if (facts !== undefined) return checkMethod(facts, message, { ...place, params });
  const event = events.get(method);
  if (event !== undefined) return checkEvent(event, place, params);
  if (method.startsWith(PREFIX) && events.has(method.slice(PREFIX.length))) {
    const name = method.slice(PREFIX.length);
    const pointer = `${place.pointer}/method`;
    return [problem("dialect.prefix", { pointer, expected: name, got: method })];
  }
  return [];
}

interface MethodPlace extends ContentPlace {
  readonly params: Readonly<Record<string, unknown>>;
}

function checkMethod(facts: MethodFacts, message: RawMessage, place: MethodPlace): Problem[] {
  const { method, kind, from, source, since } = facts;
  const { dir, pointer, revision, params } = place;
  const problems: Problem[] = [];
  const at = `${pointer}/method`;
  const sender = dir === "agent>ide" ? "agent" : "editor";
  if (from !== "either" && from !== sender) {
    const expected = `from the ${from}`;
    problems.push(
      problem("mcp.sender", { pointer: at, expected, got: `from the ${sender}`, source }),
    );
  }
  const seen = message.id === undefined ? "notification" : "request";
  if (seen !== kind) {
    problems.push(
      problem("mcp.kind", { pointer: at, expected: `a ${kind}`, got: `a ${seen}`, source }),
    );
  }
  if (since !== undefined && revision !== undefined && since > revision) {
    const expected = `nothing of MCP ${since}: ${revision} was negotiated`;
    problems.push(problem("mcp.later-revision", { pointer: at, expected, got: method, source }));
  }
  const options = { pointer: `${pointer}/params`, ...(revision !== undefined && { revision }) };
  problems.push(...breaches("mcp.params", checkShape(facts.params, params, options), source));
  if (method === "tools/call") problems.push(...checkArguments(params, pointer));
  return problems;
}

function checkEvent(event: EventFacts, { dir, pointer }: ContentPlace, params: unknown): Problem[] {
  const sender = dir === "agent>ide" ? "agent" : "editor";
  const problems = breaches(
    "dialect.params",
    checkShape(event.schema, params, { pointer: `${pointer}/params` }),
    event.sources.map(describeSource).join("; "),
  );
  if (event.from === sender) return problems;
  const breach = { expected: `from the ${event.from}`, got: `from the ${sender}` };
  return [problem("dialect.sender", { pointer: `${pointer}/method`, ...breach }), ...problems];
}

function checkArguments(params: Readonly<Record<string, unknown>>, pointer: string): Problem[] {
  const tool = claudeTools().get(String(params["name"]));
  if (tool === undefined) return [];
  const place = { pointer: `${pointer}/params/arguments` };
  const issues = checkShape(tool.input, params["arguments"] ?? {}, place);
  return breaches("dialect.arguments", issues, tool.sources.map(describeSource).join("; "));
}

/** The problems of a result, by the method and the tool that it answers. */
export function checkResult(
  result: unknown,
  request: Pick<TracedRequest, "method" | "tool">,
  { pointer, revision }: ContentPlace,
): readonly Problem[] {
  const facts = mcpMethods.get(request.method);
  if (facts?.result === undefined) return [];
  const at = `${pointer}/result`;
  const agreed = request.method === "initialize" ? undefined : revision;
  const options = { pointer: at, ...(agreed !== undefined && { revision: agreed }) };
  const problems = breaches("mcp.result", checkShape(facts.result, result, options), facts.source);
  if (!isObject(result)) return problems;
  if (request.method === "initialize") {
    const { protocolVersion } = result;
    if (typeof protocolVersion === "string" && !isLegacyRevision(protocolVersion)) {
      const expected = "one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25";
      const breach = {
        pointer: `${at}/protocolVersion`,
        expected,
        got: describeValue(protocolVersion),
      };
      problems.push(problem("mcp.revision", breach));
    }
  }
  const tool = claudeTools().get(request.tool ?? "");
  if (tool === undefined || result["isError"] === true) return problems;
  const source = tool.sources.map(describeSource).join("; ");
  return [...problems, ...checkAnswer(tool.answer, textsOf(result["content"]), { at, source })];
}

function checkAnswer(
  { word, secondAfter, json, about }: ToolAnswer,
  texts: readonly (string | undefined)[],
  { at, source }: { readonly at: string; readonly source: string },
): Problem[] {
  const [first, second] = texts;
  const pointer = `${at}/content/0/text`;
  const wrong = (where: string, got: unknown, expected = about): Problem[] => {
    const seen = got === undefined ? "nothing" : describeValue(got);
    return [problem("dialect.result", { pointer: where, expected, got: seen, source })];
  };
  if (first === undefined) return wrong(`${at}/content/0`, undefined);
  if (word !== undefined && !word.test(first)) return wrong(pointer, first);
  if (secondAfter === first && second === undefined) {
    return wrong(`${at}/content/1`, undefined, "a second text, which the agent writes");
  }
  if (json === undefined) return [];
  return checkJsonText(json, first).map((issue) =>
    problem("dialect.result", { ...issue, pointer, source }),
  );
}

/** The problems of JSON inside a string; `expected` has the place, since no pointer leads into it. */
function checkJsonText(json: Shape, text: string): { expected: string; got: string }[] {
  if (isCostly(text)) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ expected: "JSON in the text", got: describeValue(text) }];
  }
  return checkShape(json, value).map(({ pointer, expected, got }) => ({
    expected: `${expected}${pointer === "" ? "" : ` at ${pointer} of the JSON in it`}`,
    got,
  }));
}

function breaches(code: ProblemCode, issues: readonly ShapeIssue[], source: string): Problem[] {
  return issues.map(({ since, ...issue }) =>
    problem(since === undefined ? code : "mcp.later-revision", { ...issue, source }),
  );
}
