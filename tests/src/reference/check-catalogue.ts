import { posix } from "node:path";
import {
  type Check,
  type CheckGroup,
  checkGroups,
  checks,
  groupOf,
  httpChecks,
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
    ...(Object.keys(checkGroups) as CheckGroup[]).flatMap(formatGroup),
  ].join("\n");
}

function formatGroup(group: CheckGroup): readonly string[] {
  const own = [...checks, ...httpChecks].filter((check) => groupOf(check) === group);
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
