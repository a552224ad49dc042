import { isObject } from "@idewire/core/internal/base";

/** A tool as a server lists it. */
export interface NamedTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** The refusal of a tool by the API of a vendor, or by an agent. */
export interface VendorRefusal {
  readonly vendor: string;
  readonly tool: string;
  /** The place in the input schema, as a JSON pointer; empty for the tool itself. */
  readonly pointer: string;
  /** What is refused, as a sentence. */
  readonly words: string;
  /** A report with the answer of the API. */
  readonly source: string;
}

interface Found {
  readonly pointer: string;
  readonly words: string;
}

interface Limit {
  readonly vendor: string;
  readonly source: string;
  readonly find: (tool: ReadTool) => readonly Found[];
}

type Schema = Readonly<Record<string, unknown>>;

interface ReadTool {
  readonly name: string;
  /** The server as agents name it. */
  readonly server: string;
  readonly input: Schema;
  /** The input schema and all schemas in it, with their places. */
  readonly all: readonly (readonly [pointer: string, schema: Schema])[];
}

/** More schemas of one tool are not examined. */
const MAX_SCHEMAS = 2_000;
const COMBINING = ["oneOf", "anyOf", "allOf"];

/**
 * The refusals that are known, each with a report that quotes the answer. Vendors change them: a listed one is a
 * warning.
 */
const LIMITS: readonly Limit[] = [
  {
    vendor: "Anthropic",
    source: "https://github.com/home-assistant/core/issues/147760",
    find: ({ name }) => nameFault(name, /^[a-zA-Z0-9_-]{1,128}$/),
  },
  {
    vendor: "Anthropic",
    source: "https://github.com/anthropics/claude-code/issues/5973",
    find: ({ input }) => rootFaults(input, COMBINING),
  },
  {
    vendor: "Anthropic",
    source: "https://github.com/anthropics/claude-code/issues/79418",
    find: ({ all }) => keyFaults(all, /^[a-zA-Z0-9_.-]{1,64}$/),
  },
  {
    vendor: "Claude Code",
    source: "https://github.com/anthropics/claude-code/issues/20830",
    find: ({ name, server }) => lengthFault(`mcp__${server}__${name}`, 64),
  },
  {
    vendor: "OpenAI",
    source: "https://portkey.ai/error-library/input-validation-error-10049",
    find: ({ name }) => nameFault(name, /^[a-zA-Z0-9_-]{1,64}$/),
  },
  {
    vendor: "OpenAI",
    source: "https://github.com/langchain-ai/langchainjs/issues/9804",
    find: ({ input }) => [
      ...rootFaults(input, [...COMBINING, "enum", "not"]),
      ...(input["type"] === "object"
        ? []
        : [{ pointer: "", words: `the schema needs "type": "object" at the top level` }]),
    ],
  },
  {
    vendor: "OpenAI",
    source: "https://github.com/anomalyco/opencode/issues/20273",
    find: ({ all }) => arraysWithoutItems(all),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/google-gemini/gemini-cli/issues/7869",
    find: ({ name }) => nameFault(name, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/cline/cline/issues/7339",
    find: ({ all }) => arraysWithoutItems(all),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/google-gemini/gemini-cli/issues/2237",
    find: ({ all }) => formatFaults(all, ["enum", "date-time"]),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/microsoft/azure-devops-mcp/issues/139",
    find: ({ all }) => enumFaults(all),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/n8n-io/n8n/issues/15553",
    find: ({ all }) => typeLists(all),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/DEEIX-AI/DEEIX-Chat/issues/546",
    find: ({ all }) => keywordFaults(all, "$ref"),
  },
  {
    vendor: "Gemini",
    source: "https://github.com/zed-industries/zed/issues/45552",
    find: ({ all }) => keywordFaults(all, "const"),
  },
  {
    vendor: "Cursor",
    source: "https://github.com/ComposioHQ/composio/issues/2788",
    find: ({ name, server }) => lengthFault(`${server}:${name}`, 60),
  },
];

/**
 * The vendors' refusals of the tools of a server.
 * @param server the name of the server in the configuration of an agent, which becomes part of the tools' names
 */
export function findRefusals(
  tools: readonly NamedTool[],
  server: string,
): readonly VendorRefusal[] {
  return tools.flatMap(({ name, inputSchema }) => {
    const input = isObject(inputSchema) ? inputSchema : {};
    const tool: ReadTool = { name, server, input, all: [...schemasIn(input)] };
    return LIMITS.flatMap(({ vendor, source, find }) =>
      find(tool).map((found) => ({ vendor, source, tool: name, ...found })),
    );
  });
}

/** A schema and those in it, breadth first. */
function schemasIn(input: Schema): ReadTool["all"] {
  const all: (readonly [string, Schema])[] = [["", input]];
  for (let at = 0; at < all.length && all.length < MAX_SCHEMAS; at += 1) {
    const [pointer, schema] = all[at] as (typeof all)[number];
    for (const [key, value] of Object.entries(schema)) {
      for (const [inner, part] of partsOf(key, value)) all.push([`${pointer}/${inner}`, part]);
    }
  }
  return all.slice(0, MAX_SCHEMAS);
}

/** The schemas that the value of a keyword consists of. */
function partsOf(key: string, value: unknown): readonly (readonly [string, Schema])[] {
  if (/^(?:properties|patternProperties|\$defs|definitions)$/.test(key) && isObject(value)) {
    return Object.entries(value)
      .filter((entry): entry is [string, Schema] => isObject(entry[1]))
      .map(([name, part]) => [`${key}/${escapeToken(name)}`, part]);
  }
  if (/^(?:items|additionalProperties|not|if|then|else)$/.test(key) && isObject(value)) {
    return [[key, value]];
  }
  if (!/^(?:oneOf|anyOf|allOf|prefixItems)$/.test(key) || !Array.isArray(value)) return [];
  return value.flatMap((part: unknown, at) => (isObject(part) ? [[`${key}/${at}`, part]] : []));
}

function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function nameFault(name: string, pattern: RegExp): readonly Found[] {
  if (pattern.test(name)) return [];
  return [{ pointer: "", words: `the name does not match ${pattern.source}` }];
}

function lengthFault(whole: string, max: number): readonly Found[] {
  if (whole.length <= max) return [];
  const words = `the name is ${whole.length} characters long as ${whole}; at most ${max} are possible`;
  return [{ pointer: "", words }];
}

function rootFaults(input: Schema, keywords: readonly string[]): readonly Found[] {
  return keywords
    .filter((keyword) => Object.hasOwn(input, keyword))
    .map((keyword) => ({ pointer: `/${keyword}`, words: `${keyword} at the top level` }));
}

function keyFaults(all: ReadTool["all"], pattern: RegExp): readonly Found[] {
  return all.flatMap(([pointer, { properties }]) =>
    Object.keys(isObject(properties) ? properties : {})
      .filter((key) => !pattern.test(key))
      .map((key) => ({
        pointer: `${pointer}/properties/${escapeToken(key)}`,
        words: `the key does not match ${pattern.source}`,
      })),
  );
}

function arraysWithoutItems(all: ReadTool["all"]): readonly Found[] {
  return all
    .filter(([, schema]) => schema["type"] === "array" && !Object.hasOwn(schema, "items"))
    .map(([pointer]) => ({ pointer, words: "an array without items" }));
}

function formatFaults(all: ReadTool["all"], known: readonly string[]): readonly Found[] {
  return all.flatMap(([pointer, { type, format }]) =>
    type === "string" && typeof format === "string" && !known.includes(format)
      ? [{ pointer: `${pointer}/format`, words: `the format ${format} of a string` }]
      : [],
  );
}

function enumFaults(all: ReadTool["all"]): readonly Found[] {
  return all.flatMap(([pointer, schema]) => {
    const values = schema["enum"];
    const isOther = Array.isArray(values) && values.some((value) => typeof value !== "string");
    return isOther
      ? [{ pointer: `${pointer}/enum`, words: "an enum of other values than texts" }]
      : [];
  });
}

function typeLists(all: ReadTool["all"]): readonly Found[] {
  return all
    .filter(([, { type }]) => Array.isArray(type))
    .map(([pointer]) => ({ pointer: `${pointer}/type`, words: "a list of types" }));
}

function keywordFaults(all: ReadTool["all"], keyword: string): readonly Found[] {
  return all
    .filter(([, schema]) => Object.hasOwn(schema, keyword))
    .map(([pointer]) => ({ pointer: `${pointer}/${keyword}`, words: `the keyword ${keyword}` }));
}
