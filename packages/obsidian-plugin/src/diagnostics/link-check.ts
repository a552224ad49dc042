import type { DiagnosticSeverity } from "@idewire/core";
import type { Texts } from "../texts/index.ts";
import type { NoteLink } from "./note-scan.ts";
import type { TextFinding } from "./properties-check.ts";

/** What a link leads to. */
export interface ResolvedLink {
  /** In the vault. */
  readonly path: string;
  /** How many other files the link could mean as well. */
  readonly others: number;
}

/** What the vault knows of links. */
export interface LinkTargets {
  /** Divides `path#heading`. */
  parse(link: string): { readonly path: string; readonly subpath: string };
  /** Where a link from a note leads; `""` is the note itself. */
  find(linkPath: string, from: string): ResolvedLink | undefined;
  /** What `#heading` or `#^block` is in a note; undefined when nobody can tell. */
  subpath(path: string, subpath: string): "one" | "several" | "none" | undefined;
  /** Agents may know nothing of what is in it; costs more than all else. */
  isHidden(path: string): boolean;
}

interface LinkChecks {
  readonly targets: LinkTargets;
  readonly texts: Texts;
}

/**
 * Says what is wrong with a link, if anything is. Of one to a note that is kept from agents nothing
 * is: were it called missing, as a note that is not there would be, an agent would take the person's
 * own link out, or write the note anew. That a note of this name exists is what such an agent may
 * learn; nothing is said of what is in it.
 */
export function checkLink(
  link: NoteLink,
  from: string,
  checks: LinkChecks,
): readonly TextFinding[] {
  const { path, subpath } = checks.targets.parse(link.link);
  if (path === "" && subpath === "") return [];
  const target = checks.targets.find(path, from);
  const at = { start: link.start, end: link.end };
  if (target === undefined) {
    const code = link.isEmbed ? "missing-embed" : "missing-note";
    const message = checks.texts(`diagnostics.${code}`, { name: path });
    return [{ severity: link.isEmbed ? "error" : "warning", code, message, ...at }];
  }
  const found = [nameFinding(link, path, target, checks), subpathFinding(subpath, target, checks)]
    .filter((finding) => finding !== undefined)
    .map((finding) => ({ ...finding, ...at }));
  return found.length > 0 && checks.targets.isHidden(target.path) ? [] : found;
}

type Placeless = Omit<TextFinding, "start" | "end">;

function nameFinding(
  { isMarkdown }: NoteLink,
  linkPath: string,
  target: ResolvedLink,
  { texts }: LinkChecks,
): Placeless | undefined {
  if (linkPath === "") return undefined;
  const { path, others } = target;
  if (others > 0) {
    const message = texts("diagnostics.ambiguous-link", { name: linkPath, path });
    return inform("ambiguous-link", message);
  }
  // A mere name is found whatever its capitals are; a path is not, outside of Obsidian.
  const isPath = isMarkdown || linkPath.includes("/");
  if (!isPath || !isWrittenOtherwise(linkPath, path)) return undefined;
  return inform("other-capitals", texts("diagnostics.other-capitals", { path }));
}

function inform(code: string, message: string): Placeless {
  return { severity: "information", code, message };
}

function isWrittenOtherwise(linkPath: string, path: string): boolean {
  const wanted = linkPath.replace(/^(?:\.{0,2}\/)+/, "");
  const ends = [path, path.replace(/\.md$/i, "")];
  const isEnd = ends.some((end) => end.endsWith(wanted));
  return !isEnd && ends.some((end) => end.toLowerCase().endsWith(wanted.toLowerCase()));
}

function subpathFinding(
  subpath: string,
  { path }: ResolvedLink,
  { targets, texts }: LinkChecks,
): Placeless | undefined {
  if (subpath === "" || subpath === "#" || !/\.md$/i.test(path)) return undefined;
  const found = targets.subpath(path, subpath);
  if (found === undefined || found === "one") return undefined;
  const isBlock = subpath.startsWith("#^");
  const name = subpath.slice(isBlock ? 2 : 1);
  const code = isBlock ? "missing-block" : "missing-heading";
  if (found === "none") {
    const severity: DiagnosticSeverity = "warning";
    return { severity, code, message: texts(`diagnostics.${code}`, { name, path }) };
  }
  const repeated = "repeated-heading" as const;
  return isBlock ? undefined : inform(repeated, texts(`diagnostics.${repeated}`, { name, path }));
}
