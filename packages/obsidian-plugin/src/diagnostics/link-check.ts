import { texts } from "../texts/index.ts";
import type { NoteLink } from "./note-scan.ts";
import type { TextFinding } from "./properties-check.ts";

/** The file that a link leads to. */
export interface ResolvedLink {
  /** Path in the vault. */
  readonly path: string;
  /** How many other files the link could also mean. */
  readonly others: number;
}

/** Resolves links in the vault. */
export interface LinkTargets {
  /** Splits `path#heading`. */
  parse(link: string): { readonly path: string; readonly subpath: string };
  /** Where a link from a note leads; `""` is the note itself. */
  find(linkPath: string, from: string): ResolvedLink | undefined;
  /** How many targets `#heading` or `#^block` has in a note; undefined if unknown. */
  subpath(path: string, subpath: string): "one" | "several" | "none" | undefined;
  /** Whether the note is never shared; slower than the other members. */
  isHidden(path: string): boolean;
}

interface LinkChecks {
  readonly targets: LinkTargets;
}

/**
 * Finds problems of a link. Links to notes that are never shared have no findings: if they were
 * reported as missing, an agent would remove the link or write the note anew. So an agent may learn that
 * a note of this name exists, but nothing about its content.
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
    const message = texts.diagnostics[code](path);
    return [{ severity: link.isEmbed ? "error" : "warning", code, message, ...at }];
  }
  const found = [nameFinding(link, path, target), subpathFinding(subpath, target, checks)]
    .filter((finding) => finding !== undefined)
    .map((finding) => ({ ...finding, ...at }));
  return found.length > 0 && checks.targets.isHidden(target.path) ? [] : found;
}

type Placeless = Omit<TextFinding, "start" | "end">;

function nameFinding(
  { isMarkdown }: NoteLink,
  linkPath: string,
  target: ResolvedLink,
): Placeless | undefined {
  if (linkPath === "") return undefined;
  const { path, others } = target;
  if (others > 0) {
    const message = texts.diagnostics["ambiguous-link"]({ name: linkPath, path });
    return inform("ambiguous-link", message);
  }
  // Obsidian ignores case; other programs do not, and paths are read by them too.
  const isPath = isMarkdown || linkPath.includes("/");
  if (!isPath || !isWrittenOtherwise(linkPath, path)) return undefined;
  return inform("other-capitals", texts.diagnostics["other-capitals"](path));
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
  { targets }: LinkChecks,
): Placeless | undefined {
  if (subpath === "" || subpath === "#" || !/\.md$/i.test(path)) return undefined;
  const found = targets.subpath(path, subpath);
  if (found === undefined || found === "one") return undefined;
  const isBlock = subpath.startsWith("#^");
  const name = subpath.slice(isBlock ? 2 : 1);
  if (found === "none") {
    const code = isBlock ? "missing-block" : "missing-heading";
    return { severity: "warning", code, message: texts.diagnostics[code]({ name, path }) };
  }
  if (isBlock) return undefined;
  return inform("repeated-heading", texts.diagnostics["repeated-heading"]({ name, path }));
}
