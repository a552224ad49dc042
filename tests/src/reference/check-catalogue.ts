import {
  type CheckFacts,
  type CheckGroup,
  checkGroups,
  checks,
  groupOf,
  toSourceLinks,
} from "@idewire/devtools/internal";

/** The page of all rules: `docs/checks.md`. */
export function formatCheckCatalogue(): string {
  return [
    "# What an editor has to do",
    "",
    "<!-- Generated from packages/devtools/src/checks: npm run reference. -->",
    "",
    "`idewire check` connects to a live editor as an agent and checks whether it obeys these rules. **must**:",
    "agents fail without it, or people come to harm. **should**: agents get by with less. **may**: a courtesy.",
    "Those with ⚠ show the person a diff, or close open tabs: they run only with `--destructive`.",
    "",
    "Those with ❄ do what no agent does: send malformed frames, connect with a wrong token. An editor that does not",
    "expect it may freeze, or wait for a key in its window. They run last; `--gentle` leaves them out,",
    "`--skip <id>` leaves out one. When an editor stops answering, the remaining checks are skipped.",
    "",
    "```sh",
    "idewire check                         # the editor of this folder",
    "idewire check --junit report.xml      # a step of a build: exits with 1 if a must fails",
    "```",
    "",
    "Each rule names its source: a specification, a known weakness, or [what Claude Code was measured to",
    "do](clients/claude-code.md). Specifications say more, and are sometimes stricter: only what agents fail",
    "without, or people come to harm by, is a **must**.",
    "",
    ...(Object.keys(checkGroups) as CheckGroup[]).flatMap(formatGroup),
  ].join("\n");
}

function formatGroup(group: CheckGroup): readonly string[] {
  const own = checks.filter((check) => groupOf(check) === group);
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

function formatRule({ id, level, rule, note, source, destructive, hostile }: CheckFacts): string {
  const words =
    note === undefined ? escapeCell(rule) : `${escapeCell(rule)}<br>*${escapeCell(note)}*`;
  const signs = `${destructive ? " ⚠" : ""}${hostile ? " ❄" : ""}`;
  return `| ${id}${signs} | ${level} | ${words} | ${formatSource(source)} |`;
}

/** As links that lead on from `docs/checks.md`. */
function formatSource(source: string): string {
  const links = toSourceLinks(source).map(({ text, url }) => {
    if (url === undefined) return escapeCell(text);
    const page = text.startsWith("docs/") ? text.slice("docs/".length).split(", ")[0] : undefined;
    const place = url.includes("#") ? url.slice(url.indexOf("#")) : "";
    return `[${escapeCell(text)}](${page === undefined ? url : page + place})`;
  });
  return links.join("; ");
}

/** Characters with a meaning in a cell of a Markdown table. */
function escapeCell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, "\\$&").replace(/\s+/g, " ");
}
