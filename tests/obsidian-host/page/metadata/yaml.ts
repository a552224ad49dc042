import type { FrontMatterInfo } from "obsidian";
import { parse, stringify } from "yaml";

export function parseYaml(text: string): unknown {
  return parse(text, { strict: true, uniqueKeys: true, version: "1.1", merge: true });
}

export function stringifyYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, indentSeq: true });
}

export function getFrontMatterInfo(content: string): FrontMatterInfo {
  const match = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|$)/m.exec(content);
  if (match === null || match.index !== 0) {
    return { exists: false, frontmatter: "", from: 0, to: 0, contentStart: 0 };
  }
  const [whole, frontmatter = ""] = match;
  const from = whole.indexOf("\n") + 1;
  return {
    exists: true,
    frontmatter,
    from,
    to: from + frontmatter.length,
    contentStart: whole.length,
  };
}
