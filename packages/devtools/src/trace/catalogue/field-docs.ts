import { isObject } from "@idewire/core/internal";
import type { FrameFacts } from "../rows/frame-index.ts";
import { ideEvents } from "./ide-events.ts";
import { claudeTools } from "./ide-tools.ts";
import { mcpMethods } from "./mcp-methods.ts";
import { describeShape, open, type Shape, text } from "./shape.ts";
import { describeSource } from "./source-links.ts";

/** A member of a message, for a table. */
export interface FieldDoc {
  readonly name: string;
  /** The level of nesting; 0 is the outermost. */
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
}

/** The documentation of a part of a frame. */
export interface DocSection {
  readonly title: string;
  /** Sentences: its purpose, its senders, callers and readers. */
  readonly about: readonly string[];
  readonly fields: readonly FieldDoc[];
  readonly source: string;
}

/** A tool as its server listed it. */
export interface ListedTool {
  readonly description: string;
  readonly inputSchema: Shape;
}

/** The senders of a message and of its answer, by the end that sends the request. */
const senders = {
  request: { agent: "agent", editor: "editor", either: "agent or the editor" },
  answer: { agent: "editor", editor: "agent", either: "agent or the editor" },
} as const;

/**
 * The documentation of a frame: of its method, and of the tool that it calls or answers.
 * @param listed the tool as the server listed it; as the claude-code dialect has it when left out
 */
export function docsOf(facts: FrameFacts, listed?: ListedTool): readonly DocSection[] {
  const { kind, method = "", tool } = facts;
  if (kind === "error") return [errorDocs];
  const sections: DocSection[] = [];
  const known = mcpMethods.get(method);
  const isAnswer = kind === "result";
  if (known !== undefined) {
    const shape = isAnswer ? known.result : known.params;
    const since = known.since === undefined ? [] : [`Since MCP ${known.since}.`];
    sections.push({
      title: `${isAnswer ? "Result" : "Params"} of ${method}`,
      about: [
        known.about,
        `Sent by the ${senders[isAnswer ? "answer" : "request"][known.from]}.`,
        ...since,
      ],
      fields: fieldsOf(shape ?? {}),
      source: known.source,
    });
  }
  if (tool !== undefined) sections.push(...docsOfTool(tool, isAnswer, listed));
  const event = ideEvents.find((one) => one.method === method);
  if (event !== undefined) {
    sections.push({
      title: `Params of ${method}`,
      about: [event.when, event.understoodBy],
      fields: fieldsOf(event.schema),
      source: event.sources.map(describeSource).join("; "),
    });
  }
  return sections;
}

const MAX_DEPTH = 5;
const MAX_FIELDS = 200;

const errorDocs: DocSection = {
  title: "Error",
  about: [
    "What went wrong. A tool reports a failure to the model by a result with isError instead.",
  ],
  fields: fieldsOf(
    open({
      code: { type: "integer", description: "-32700 to -32600 are JSON-RPC's own" },
      message: text("A sentence"),
      "data?": { description: "More of it" },
    }),
  ),
  source: "JSON-RPC 2.0, 5.1",
};

function docsOfTool(name: string, isAnswer: boolean, listed?: ListedTool): readonly DocSection[] {
  const tool = claudeTools().get(name);
  const source =
    tool?.sources.map(describeSource).join("; ") ?? "this server's answer to tools/list";
  if (isAnswer) {
    if (tool === undefined) return [];
    const fields = tool.answer.json === undefined ? [] : fieldsOf(tool.answer.json);
    return [{ title: `Answer of ${name}`, about: [tool.answer.about], fields, source }];
  }
  const input = listed?.inputSchema ?? tool?.input;
  if (input === undefined) return [];
  const about = [listed?.description ?? tool?.about ?? ""];
  if (tool !== undefined) about.push(`Called by: ${tool.calledBy}`);
  return [
    {
      title: `Arguments of ${name}`,
      about: about.filter((words) => words !== ""),
      fields: fieldsOf(input),
      source,
    },
  ];
}

/** The members of a shape, each followed by its own members. */
export function fieldsOf(shape: Shape): readonly FieldDoc[] {
  const fields: FieldDoc[] = [];
  collect(shape, 0, fields);
  return fields;
}

function collect(shape: Shape, depth: number, fields: FieldDoc[]): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(shape.anyOf)) {
    for (const choice of shape.anyOf) if (isObject(choice)) collect(choice, depth, fields);
    return;
  }
  if (isObject(shape.items)) collect(shape.items, depth, fields);
  const members = isObject(shape.properties) ? Object.entries(shape.properties) : [];
  for (const [name, given] of members) {
    // A server's schema may contain anything.
    const member: Shape = isObject(given) ? given : {};
    if (fields.length >= MAX_FIELDS) return;
    const about = typeof member.description === "string" ? member.description : "";
    const required = Array.isArray(shape.required) && shape.required.includes(name);
    fields.push({ name, depth, type: shortType(member), required, about });
    collect(member, depth + 1, fields);
  }
}

function shortType(shape: Shape): string {
  if (isObject(shape.properties)) return "object";
  if (shape.type === "array" && isObject(shape.items?.properties)) return "array of object";
  const words = describeShape(shape);
  return words.length > 60 ? `${words.slice(0, 59)}…` : words;
}
