import { posix } from "node:path";
import {
  type Check,
  type CheckGroup,
  checkGroups,
  checks,
  groupOf,
  httpChecks,
  serverChecks,
  toSourceLinks,
} from "@idewire/devtools/internal";

/** The page of all rules: `docs/reference/checks.md`. */
export function formatCheckCatalogue(): string {
  return [
    "# What an editor has to do",
    "",
    "<!-- Generated from packages/devtools/src/checks: npm run reference. -->",
    "",
    "`idewire check` connects to a live editor as an agent and checks whether it obeys these rules. **must**:",
    "agents fail without it, or users are put at risk. **should**: agents work without it, with less. **may**: optional.",
    "Those with ⚠ show the person a diff, or close open tabs: they run only with `--destructive`.",
    "The one with ⏳ waits for the person to accept a diff: it runs only with `--accept <seconds>`.",
    "",
    "Those with ❄ behave as no agent does: they send malformed frames, or connect with a wrong token. An editor that does not",
    "expect it may freeze, or wait for a key in its window. They run last; `--gentle` leaves them out,",
    "`--skip <id>` leaves out one. When an editor stops answering, the remaining checks are skipped.",
    "",
    "```sh",
    "idewire check                         # the editor of this folder",
    "idewire check --junit report.xml      # a step of a build: exits with 1 if a must fails",
    "idewire check --agent gemini          # its endpoint for Gemini CLI",
    "```",
    "",
    "Each rule names its source: a specification, a known weakness, or [measurements of Claude",
    "Code](../clients/claude-code.md). Specifications contain more rules, and are sometimes stricter: a rule is a",
    "**must** only if agents fail without it, or users are put at risk.",
    "",
    "With `--agent gemini`, `qwen` or `copilot` the endpoint of that agent is checked, over HTTP: by the rules with ⇄, and",
    "by those of the last table. The others are of the family of Claude Code alone.",
    "",
    ...formatGroups([...checks, ...httpChecks]),
  ].join("\n");
}

/** The page of the rules for MCP servers: `docs/reference/server-checks.md`. */
export function formatServerCatalogue(): string {
  return [
    "# What an MCP server has to do",
    "",
    "<!-- Generated from packages/devtools/src/checks/server: npm run reference. -->",
    "",
    "`idewire check <url>` and `idewire check -- <command…>` connect to an MCP server as its client and check whether it obeys",
    "these rules of the specification, over stdio, Streamable HTTP and HTTP with SSE, in both eras. **must**, **should** and",
    "**may** are those of the specification; a broken **must** ends with exit code 1.",
    "",
    "A tool is called only if it is annotated as read-only and its arguments are known (none are required, or the schema",
    "names a value); `--destructive` calls the others, too. Lists, resources and prompts without required arguments are",
    "read. Those with ❄ send what no client sends; they run last, `--gentle` leaves them out, `--skip <id>` leaves out one.",
    "A rule that does not apply to the transport, the era or the revision of the server is skipped, with the reason.",
    "",
    "```sh",
    "idewire check https://example.com/mcp",
    "idewire check --junit report.xml -- npx -y my-server     # a step of a build",
    "```",
    "",
    "Each rule names the revision of MCP and the page that it is from. How to compare a server with what it offered",
    "before: [MCP servers](../guide/mcp.md#for-authors-of-servers).",
    "",
    ...formatGroups(serverChecks),
  ].join("\n");
}

function formatGroups(catalogue: readonly Check[]): readonly string[] {
  return (Object.keys(checkGroups) as CheckGroup[]).flatMap((group) => {
    const own = catalogue.filter((check) => groupOf(check) === group);
    return own.length === 0 ? [] : formatGroup(group, own);
  });
}

function formatGroup(group: CheckGroup, own: readonly Check[]): readonly string[] {
  const title = checkGroups[group];
  return [
    `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    "",
    "| check | level | rule | from |",
    "| --- | --- | --- | --- |",
    ...own.map(formatRule),
    "",
  ];
}

function formatRule({
  id,
  level,
  rule,
  note,
  source,
  destructive,
  hostile,
  needsPerson,
  overHttp,
}: Check): string {
  const words =
    note === undefined ? escapeCell(rule) : `${escapeCell(rule)}<br>*${escapeCell(note)}*`;
  const signs = `${destructive && !needsPerson ? " ⚠" : ""}${hostile ? " ❄" : ""}${needsPerson ? " ⏳" : ""}${overHttp ? " ⇄" : ""}`;
  return `| ${id}${signs} | ${level} | ${words} | ${formatSource(source)} |`;
}

/** As links relative to `docs/reference/checks.md`. */
function formatSource(source: string): string {
  const links = toSourceLinks(source).map(({ text, url }) => {
    if (url === undefined) return escapeCell(text);
    const [file = ""] = text.split(", ");
    const place = url.includes("#") ? url.slice(url.indexOf("#")) : "";
    const address = file.startsWith("docs/") ? posix.relative("docs/reference", file) + place : url;
    return `[${escapeCell(text)}](${address})`;
  });
  return links.join("; ");
}

/** Characters with a meaning in a cell of a Markdown table. */
function escapeCell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, "\\$&").replace(/\s+/g, " ");
}
