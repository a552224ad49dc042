import type { ExportRow } from "./export-rows.ts";

/** A page for reviews, sorted by file, then by line. */
export function toMarkdown(rows: readonly ExportRow[]): string {
  const parts = ["# Comments\n"];
  let file: string | undefined;
  for (const row of rows) {
    if (row.filePath !== file) parts.push(`## ${inLine(row.filePath)}\n`);
    file = row.filePath;
    parts.push(section(row));
  }
  return parts.join("\n");
}

function section(row: ExportRow): string {
  const { filePath, line, endLine, tag, author, created, state, status, context } = row;
  const lines = endLine === undefined ? `L${line}` : `L${line}-L${endLine}`;
  const target = `${encodeURI(filePath).replace(/[()#?]/g, encodeURIComponent)}#${lines}`;
  const facts = [inLine(author), created, state, status === "orphaned" ? "orphaned" : ""];
  const code = context === undefined ? "" : `${fenced(context)}\n`;
  const head = `### ${tag} [${lines}](${target})\n`;
  const replies = row.replies.map(
    (reply) => `\nReply by ${inLine(reply.author)} · ${reply.created}\n\n${fenced(reply.text)}\n`,
  );
  const body = `${fenced(row.text)}\n\n${facts.filter(Boolean).join(" · ")}\n${replies.join("")}`;
  return `${head}\n${body}${code}`;
}

/** Encloses text in a fence longer than any in it, so that it is not parsed as Markdown. */
function fenced(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function inLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}
