import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandOutcomes, editorCommandSchemas } from "@idewire/core/internal";
import { pageEvents, pageParams, pageResults, pageVerbs } from "@idewire/devtools/internal";

/** Members of valibot's schemas beyond their types. */
interface SchemaParts {
  readonly type: string;
  readonly expects: string | null;
  readonly entries?: Readonly<Record<string, SchemaParts>>;
  readonly item?: SchemaParts;
  readonly wrapped?: SchemaParts;
  readonly options?: readonly unknown[];
  /** The expected value of a check by a function. */
  readonly message?: string;
}

type Schemas = Readonly<Record<string, unknown>>;

const INTRODUCTION = `<!-- Generated from packages/devtools/src/page-protocol: npm run reference. -->

# The page's protocol

The protocol between a page of \`idewire serve --web\` or \`idewire inspect --web\` and the process that serves
it: JSON-RPC 2.0 over a WebSocket on loopback. Both have the same version, so it may change with
any release; editors in other languages use the [host protocol](host-protocol.md).

The page connects to \`/live\` with the sub-protocol \`idewire.v1\`, and beside it
\`idewire.ticket.<ticket>\` (of the link that opened it: valid once, for 60 s) or \`idewire.key.<key>\`
(its own, once a ticket has admitted it; for a folder also after a restart on the same port). \`live/join\` is its first request. \`params\` is always an
object; paths are relative to the folder, lines and characters count from 0 (lines of comments from 1), characters in
UTF-16 units. A text has at most 4,194,304 units, a path 4,096, a frame to send 16,777,216. An error with code 1 has a
message for the person; any other is a fault of one end.`;

const COMMANDS = `## Commands

Each act of the person in the editor is a command, as in \`EditorCommand\` of \`@idewire/core\`. The control
socket of \`idewire select\` and its like has the same methods, with native absolute paths.`;

/** The text of docs/reference/page-protocol.md. */
export function formatPageProtocol(): string {
  const words = readWords();
  const methods = Object.entries(pageParams).map(([method, params]) => {
    return section(method, words.get(`method ${method}`), [
      `parameters: ${typeOf(params)}`,
      `result: ${typeOf(byName(pageResults, method))}`,
    ]);
  });
  const events = Object.entries(pageEvents).map(([event, params]) =>
    section(event, words.get(`event ${event}`), [`parameters: ${typeOf(params)}`]),
  );
  const commands = pageVerbs.map((verb) => {
    const { do: _, ...members } =
      (editorCommandSchemas[verb] as unknown as SchemaParts).entries ?? {};
    const result = typeOf(commandOutcomes[verb]);
    return `editor/${verb}\nparameters: ${objectType(members)}\nresult: ${result}`;
  });
  const parts = [
    ...[INTRODUCTION, "## What a page requests", ...methods],
    ...[
      COMMANDS,
      `\`\`\`text\n${commands.join("\n\n")}\n\`\`\``,
      "## What a page receives",
      ...events,
    ],
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The docstring of each method and event. */
export function readWords(): ReadonlyMap<string, string> {
  return new Map(["methods.ts", "comment-methods.ts", "inspect-methods.ts"].flatMap(wordsOfFile));
}

function wordsOfFile(name: string): readonly (readonly [name: string, words: string])[] {
  const url = new URL(`../../../packages/devtools/src/page-protocol/${name}`, import.meta.url);
  const source = readFileSync(fileURLToPath(url), "utf8");
  const events = source.search(/^export interface \w+Events /m);
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+"([a-z]+\/[a-z-]+)"/g);
  return Array.from(found, ({ 1: comment = "", 2: method, index }) => [
    `${events === -1 || index < events ? "method" : "event"} ${method}`,
    comment.replace(/\s*\n\s*\* ?/g, " ").trim(),
  ]);
}

function section(name: string, words = "", lines: readonly string[]): string {
  return [`### \`${name}\``, words, `\`\`\`text\n${lines.join("\n")}\n\`\`\``].join("\n\n");
}

function byName(schemas: Schemas, name: string): unknown {
  return schemas[name];
}

function typeOf(schema: unknown): string {
  const { type, expects, entries, item, wrapped, options, message } = schema as SchemaParts;
  if (wrapped !== undefined) return typeOf(wrapped);
  if (item !== undefined) return `${typeOf(item)}[]`;
  if (entries !== undefined) return objectType(entries);
  if (type === "variant") return (options ?? []).map(typeOf).join(" | ");
  if (type === "custom") return message?.split(" ").at(-1) ?? type;
  return expects === "Object" ? "object" : (expects ?? type);
}

function objectType(entries: Readonly<Record<string, SchemaParts>>): string {
  const members = Object.entries(entries).map(([name, member]) => {
    const mark = member.type.endsWith("optional") ? "?" : "";
    return `${name}${mark}: ${typeOf(member)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}
