import { describeValue, isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import { findSchemaFault } from "../../schema-fault.ts";
import { mcp } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { describeAnswer, type ServerListName, serverLists } from "../checked-server.ts";
import { codeOf } from "./messages.ts";

const NAMES = Object.keys(serverLists) as readonly ServerListName[];

/** The members that entries must have. */
const MEMBERS: Readonly<Record<ServerListName, readonly string[]>> = {
  tools: ["name"],
  prompts: ["name"],
  resources: ["uri", "name"],
  resourceTemplates: ["uriTemplate", "name"],
};

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** Checks of what a server lists. */
export const listChecks: readonly Check[] = [
  {
    id: "MCP-LIST-001",
    level: "must",
    rule: "Entries of lists are objects, with a name that is a string; resources have a uri, templates a uriTemplate.",
    source: `${mcp("Tools, Data Types")}; ${mcp("Resources")}; ${mcp("Prompts")}`,
    run: (context) =>
      forEachList(context, (name, entries) => {
        for (const [index, entry] of entries.entries()) {
          demand(isObject(entry), `${name}[${index}] is ${describeValue(entry)}`);
          for (const key of MEMBERS[name]) {
            const value = entry[key];
            demand(
              typeof value === "string",
              `${name}[${index}].${key} is ${describeValue(value)}`,
            );
          }
        }
      }),
  },
  {
    id: "MCP-LIST-002",
    level: "should",
    rule: "Names of tools and prompts, and uris of resources, are unique.",
    source: mcp("Tools, Data Types"),
    run: (context) =>
      forEachList(context, (name, entries) => {
        const keys = entries.filter(isObject).map((entry) => entry[MEMBERS[name][0] ?? ""]);
        const twice = keys.find((key, index) => keys.indexOf(key) !== index);
        demand(twice === undefined, `${describeValue(twice)} is listed twice in ${name}`);
      }),
  },
  {
    id: "MCP-LIST-003",
    level: "should",
    rule: "The name of a tool has 1 to 128 characters of A-Z, a-z, 0-9, underscore, hyphen and dot.",
    source: mcp("Tools, Data Types"),
    async run(context) {
      for (const { name } of await context.server.entries(context, "tools")) {
        const isGood = typeof name === "string" && /^[\w.-]{1,128}$/.test(name);
        demand(isGood, `a tool is named ${describeValue(name)}`);
      }
    },
  },
  {
    id: "MCP-LIST-004",
    level: "must",
    rule: 'The inputSchema of each tool is a JSON Schema with the type "object".',
    source: mcp("Tools, Data Types"),
    async run(context) {
      for (const { name, inputSchema: schema } of await context.server.entries(context, "tools")) {
        demand(isObject(schema), `the one of ${describeValue(name)} is ${describeValue(schema)}`);
        const { type } = schema;
        demand(type === "object", `the type of ${describeValue(name)} is ${describeValue(type)}`);
      }
    },
  },
  {
    id: "MCP-LIST-005",
    level: "must",
    rule: "inputSchema and outputSchema are valid JSON Schemas, of a known dialect, that refer to nothing else.",
    source: `${mcp("Tools, Data Types")}; ${mcp("Basic")}`,
    async run(context) {
      for (const tool of await context.server.entries(context, "tools")) {
        for (const key of ["inputSchema", "outputSchema"]) {
          if (tool[key] === undefined) continue;
          const fault = findSchemaFault(tool[key]);
          demand(fault === undefined, `${key} of ${describeValue(tool["name"])}: ${fault}`);
        }
      }
    },
  },
  {
    id: "MCP-LIST-006",
    level: "must",
    rule: "Hints in the annotations of a tool are booleans, its title and description strings.",
    source: mcp("Schema"),
    async run(context) {
      for (const { name, annotations = {}, title, description } of await context.server.entries(
        context,
        "tools",
      )) {
        const own = describeValue(name);
        demand(isObject(annotations), `annotations of ${own} is ${describeValue(annotations)}`);
        for (const hint of HINTS) {
          const value = annotations[hint];
          const isHint = value === undefined || typeof value === "boolean";
          demand(isHint, `${hint} of ${own} is ${describeValue(value)}`);
        }
        for (const text of [title, description]) {
          const isText = text === undefined || typeof text === "string";
          demand(isText, `a text of ${own} is ${describeValue(text)}`);
        }
      }
    },
  },
  {
    id: "MCP-LIST-007",
    level: "may",
    rule: "Each tool has a description, by which models choose it.",
    source: mcp("Tools, Data Types"),
    async run(context) {
      for (const { name, description } of await context.server.entries(context, "tools")) {
        const isThere = typeof description === "string" && description.trim() !== "";
        demand(isThere, `${describeValue(name)} has none`);
      }
    },
  },
  {
    id: "MCP-LIST-008",
    level: "must",
    rule: "Pages of lists end: nextCursor is a string, never one that was sent before, and missing at last.",
    source: mcp("Utilities, Pagination"),
    run: (context) =>
      forEachList(context, (name, _, fault) => {
        demand(fault === undefined, `${serverLists[name].method}: ${fault}`);
      }),
  },
  {
    id: "MCP-LIST-009",
    level: "should",
    rule: "A cursor that the server never sent is answered with the error -32602.",
    source: mcp("Utilities, Pagination"),
    async run(context) {
      const session = await context.server.session(context);
      let paged: string | undefined;
      await forEachList(context, (name, _, __, pages) => {
        if (pages > 1) paged ??= serverLists[name].method;
      });
      if (paged === undefined) throw new CheckSkipped("no list has more than one page");
      const answer = await session.request(paged, { cursor: "idewire-no-cursor" });
      const isRefused = codeOf(answer.message.error) === -32602;
      demand(isRefused, `it was answered with ${describeAnswer(answer)}`);
    },
  },
  {
    id: "MCP-LIST-010",
    level: "must",
    rule: "The arguments of a prompt are a list of objects with names.",
    source: mcp("Prompts"),
    async run(context) {
      for (const prompt of await context.server.entries(context, "prompts")) {
        const { name, arguments: args = [] } = prompt;
        const own = `arguments of ${describeValue(name)}`;
        demand(Array.isArray(args), `${own} is ${describeValue(args)}`);
        for (const arg of args as readonly Params[]) {
          const isNamed = isObject(arg) && typeof arg["name"] === "string";
          demand(isNamed, `${own} has ${describeValue(arg)}`);
        }
      }
    },
  },
];

type Look = (
  name: ServerListName,
  entries: readonly unknown[],
  fault: string | undefined,
  pages: number,
) => void;

/** @throws CheckSkipped if the server has no lists */
async function forEachList(context: CheckContext, look: Look): Promise<undefined> {
  const session = await context.server.session(context);
  const declared = NAMES.filter((name) => session.declares(serverLists[name].capability));
  if (declared.length === 0) throw new CheckSkipped("the server declares no lists");
  for (const name of declared) {
    const { entries, fault, pages } = await listIfAny(context, name);
    look(name, entries, fault, pages.length);
  }
  return undefined;
}

/** Templates are optional for a server with resources. */
async function listIfAny(context: CheckContext, name: ServerListName) {
  try {
    return await context.server.list(context, name);
  } catch (error) {
    if (name !== "resourceTemplates") throw error;
    return { entries: [], pages: [] as readonly unknown[], fault: undefined };
  }
}
