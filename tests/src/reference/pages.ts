import { posix } from "node:path";
import type { EndpointSpec } from "@idewire/core/internal";
import { claudeCli } from "../../requirements/claude-cli.ts";
import { seed000 } from "../../requirements/seed-000.ts";
import { seed001 } from "../../requirements/seed-001.ts";
import { seed002 } from "../../requirements/seed-002.ts";
import type { JsonObject, WireMessage } from "../reference-clients/wire.ts";
import { Capture, type Exchange } from "./capture.ts";
import type { EventFacts } from "./event-facts.ts";
import { type DialectFacts, dialects, type ToolFacts } from "./facts.ts";
import { schemaTable } from "./schema-table.ts";

/** A page, by its name in docs/reference. */
export interface Page {
  readonly name: string;
  readonly text: string;
}

/** A listed tool, and the results of its examples. */
export interface CapturedTool {
  readonly description: JsonObject;
  readonly facts: ToolFacts;
  readonly exchanges: readonly Exchange[];
}

export interface CapturedEvent {
  readonly facts: EventFacts;
  readonly examples: readonly { readonly title: string; readonly frame: WireMessage }[];
}

export interface CapturedDialect {
  readonly facts: DialectFacts;
  /** The answer to `initialize`. */
  readonly server: JsonObject;
  readonly tools: readonly CapturedTool[];
  readonly events: readonly CapturedEvent[];
}

const GENERATED =
  "<!-- Generated from the catalogue and from captured frames: npm run reference. Change tests/src/reference. -->";

/** Runs every example of every dialect against our own server. */
export function captureAll(): Promise<readonly CapturedDialect[]> {
  return Promise.all(dialects.map(captureDialect));
}

async function captureDialect(facts: DialectFacts): Promise<CapturedDialect> {
  const { dialect } = facts;
  const capture = await Capture.open(dialect);
  const asOpencode = await Capture.open(dialect, "opencode");
  const events: CapturedEvent[] = [];
  for (const event of facts.events) {
    const examples: { title: string; frame: WireMessage }[] = [];
    for (const { title, act, agent } of event.examples) {
      const frame = await (agent === undefined ? capture : asOpencode).event(event, act);
      examples.push({ title, frame });
    }
    events.push({ facts: event, examples });
  }
  const server = capture.frames.find(({ id, result }) => id === 0 && result)?.result as JsonObject;
  const tools = await captureTools(facts);
  capture.close();
  asOpencode.close();
  return { facts, server, tools, events };
}

/** Each tool with a fresh editor, so that no example depends on those before it. */
async function captureTools({ dialect, tools }: DialectFacts): Promise<readonly CapturedTool[]> {
  const lister = await Capture.open(dialect);
  const { answer } = await lister.request("tools/list", {});
  lister.close();
  const listed = (answer.result as { readonly tools: readonly JsonObject[] }).tools;
  return Promise.all(
    listed.map(async (description) => {
      const name = String(description["name"]);
      const facts = tools[name];
      if (facts === undefined) throw new Error(`${dialect.id}: no facts of the tool ${name}`);
      const exchanges: Exchange[] = [];
      const capture = await Capture.open(dialect);
      for (const example of facts.examples) exchanges.push(await capture.call(name, example));
      capture.close();
      return { description, facts, exchanges };
    }),
  );
}

/** All pages: the index, and one per dialect. */
export function formatPages(captured: readonly CapturedDialect[]): readonly Page[] {
  return [
    { name: "README.md", text: formatIndex(captured) },
    ...captured.map((each) => ({ name: pageOf(each.facts), text: formatDialect(each) })),
  ];
}

function pageOf({ dialect }: DialectFacts): string {
  return `${dialect.id}.md`;
}

function formatIndex(captured: readonly CapturedDialect[]): string {
  const rows = captured.map(({ facts, tools, events }) => [
    `[${facts.title}](${pageOf(facts)})`,
    `\`${facts.name}\``,
    facts.about,
    `${tools.length}`,
    `${events.length}`,
  ]);
  return page([
    "# What crosses the wire",
    "Every tool and every notification of every dialect: its JSON Schema, frames that our own server sent or took, who sends it, who understands it, and where that is from. All of it is MCP, which is JSON-RPC 2.0.",
    table(["dialect", "export", "what it is", "tools", "notifications"], rows),
    "Where the dialects contradict each other, [Three descriptions, one client](../seeds.md) says who is right. An editor in another language speaks the [host protocol](../host-protocol.md) instead, which is the same for all of them.",
    "## Tools",
    "The agent calls them with `tools/call`.",
    matrix(captured, ({ tools }) => tools.map(({ description }) => String(description["name"]))),
    "## Notifications",
    "→ from the editor to the agent, ← from the agent to the editor.",
    matrix(captured, ({ events }) => events.map(({ facts }) => facts.method), arrowIn),
  ]);
}

function arrowIn({ events }: CapturedDialect, method: string): string {
  const event = events.find(({ facts }) => facts.method === method);
  return event === undefined ? "" : `${arrow(event.facts)} `;
}

function arrow({ from }: EventFacts): string {
  return from === "editor" ? "→" : "←";
}

/** A row per name, with a link in the column of each dialect that has it. */
function matrix(
  captured: readonly CapturedDialect[],
  namesOf: (dialect: CapturedDialect) => readonly string[],
  mark: (dialect: CapturedDialect, name: string) => string = () => "",
): string {
  const names = [...new Set(captured.flatMap(namesOf))];
  const rows = names.map((name) => [
    `\`${name}\``,
    ...captured.map((dialect) =>
      namesOf(dialect).includes(name)
        ? `${mark(dialect, name)}[yes](${pageOf(dialect.facts)}#${anchor(name)})`
        : "–",
    ),
  ]);
  return table(["", ...captured.map(({ facts }) => facts.title)], rows);
}

function formatDialect({ facts, server, tools, events }: CapturedDialect): string {
  const { dialect } = facts;
  const info = server["serverInfo"] as JsonObject;
  const oldest = dialect.minimumRevision ?? "2024-11-05";
  const badArguments =
    dialect.argumentErrors === "tool-result" ? "a result with `isError`" : "the error -32602";
  const name = dialect.serverName === undefined ? "the editor's own name" : `\`${info["name"]}\``;
  return page([
    `# ${facts.title}: \`${facts.name}\``,
    facts.about,
    table(
      ["", ""],
      [
        ["Spoken there", spoken[dialect.endpoint.kind]],
        describePlace(dialect.endpoint),
        ["Calls itself", name],
        ["Oldest MCP", `${oldest}; newest 2025-11-25`],
        ["Bad arguments are answered by", badArguments],
        ["Notifications begin", `${dialect.readyDelayMs} ms after the handshake`],
      ],
    ),
    "## Tools",
    table(
      ["tool", "what it does"],
      tools.map(({ description }) => [
        link(String(description["name"])),
        String(description["description"]),
      ]),
    ),
    ...tools.flatMap(formatTool),
    ...formatEvents(events),
    "[All dialects](README.md)",
  ]);
}

const spoken: Readonly<Record<EndpointSpec["kind"], string>> = {
  "web-socket": "MCP over a WebSocket, a message a frame",
  http: "MCP over Streamable HTTP",
  "http-socket": "MCP over Streamable HTTP, at a socket of the file system",
  frames: "JSON with its length in 4 bytes, at a socket of the file system",
};

/** How agents find it, as a row. */
function describePlace({ discovery, socket }: EndpointSpec): readonly [string, string] {
  if (discovery === undefined) {
    const [folder, name] = socket?.(1000) ?? [];
    return ["Socket", `\`<tmp>/${folder}/${name?.replace("1000", "<uid>")}\``];
  }
  const { base, root, variable, below = "" } = discovery.folder;
  const name = discovery
    .fileName({ port: 65_535, process: { pid: 4_194_304 } }, "<unique>")
    .replace("65535", "<port>")
    .replace("4194304", "<pid>");
  const at = posix.join(base === "home" ? "~" : "<tmp>", root, below, name);
  const also = variable === undefined ? "" : `, below \`$${variable}\` if that is set`;
  return ["Discovery file", `\`${at}\`${also}`];
}

function formatTool({ description, facts, exchanges }: CapturedTool): readonly string[] {
  const schema = description["inputSchema"] as JsonObject;
  return [
    `### ${description["name"]}`,
    `${description["description"]}.`,
    describeOrigin("Called by", facts.calledBy, facts.sources),
    schemaTable(schema) ?? "It takes no arguments.",
    fold("JSON Schema of the arguments", schema),
    ...exchanges.flatMap(({ request, answer }, index) => [
      `${facts.examples[index]?.title ?? "For example"}:`,
      `${json(request)}\n\n${json(answer)}`,
    ]),
  ];
}

function formatEvents(events: readonly CapturedEvent[]): readonly string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ facts }) => [arrow(facts), link(facts.method), facts.when]);
  const all = table(["", "method", "when"], rows);
  return ["## Notifications", all, ...events.flatMap(formatEvent)];
}

function formatEvent({ facts, examples }: CapturedEvent): readonly string[] {
  const sender = facts.from === "editor" ? "the editor" : "the agent";
  return [
    `### ${facts.method}`,
    `From ${sender}. ${facts.when}`,
    describeOrigin("Understood by", facts.understoodBy, facts.sources),
    schemaTable(facts.schema) ?? "",
    fold("JSON Schema of `params`", facts.schema),
    ...examples.flatMap(({ title, frame }) => [`${title}:`, json(frame)]),
  ].filter((part) => part !== "");
}

function describeOrigin(title: string, words: string, sources: readonly string[]): string {
  return `- **${title}**: ${words}\n- **Source**: ${formatSources(sources)}`;
}

const manifests = [
  { statements: seed000, name: "seed 000, lines" },
  { statements: seed001, name: "seed 001, lines" },
  { statements: seed002, name: "seed 002, lines" },
  { statements: claudeCli, name: "[Claude Code as measured](../../clients/claude-code.md)," },
];

/** Requirements of the manifest by their places; anything else unchanged. */
function formatSources(sources: readonly string[]): string {
  const isStatement = (source: string) => /^(s\d|cli):/.test(source);
  const cited = manifests.flatMap(({ statements, name }) => {
    const found = statements.filter(({ id }) => sources.includes(id));
    if (found.length === 0) return [];
    const places = [...new Set(found.map(({ source }) => source))].join("; ");
    return [`${name} ${places} (${found.map(({ id }) => `\`${id}\``).join(", ")})`];
  });
  const known = manifests.flatMap(({ statements }) => statements.map(({ id }) => id));
  for (const source of sources.filter(isStatement)) {
    if (!known.includes(source)) throw new Error(`The manifest has no statement ${source}`);
  }
  return [...cited, ...sources.filter((source) => !isStatement(source))].join("; ");
}

function page(parts: readonly string[]): string {
  const [title = "", ...rest] = parts;
  return `${[title, GENERATED, ...rest].join("\n\n")}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function link(name: string): string {
  return `[\`${name}\`](#${anchor(name)})`;
}

/** GitHub's anchor of a heading. */
function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^\w-]/g, "");
}

function json(frame: unknown): string {
  return `\`\`\`json\n${JSON.stringify(frame, undefined, 2)}\n\`\`\``;
}

function fold(summary: string, value: unknown): string {
  const title = summary.replaceAll(/`(\w+)`/g, "<code>$1</code>");
  return `<details><summary>${title}</summary>\n\n${json(value)}\n\n</details>`;
}
