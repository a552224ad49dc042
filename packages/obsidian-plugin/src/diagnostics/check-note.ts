import type { Diagnostic, DiagnosticSeverity } from "@idewire/core";
import { TextLines } from "@idewire/core/internal";
import { texts } from "../texts/index.ts";
import { checkLink, type LinkTargets } from "./link-check.ts";
import type { Named, NoteLink, NoteScan } from "./note-scan.ts";
import { checkProperties, type ParseYaml, type TextFinding } from "./properties-check.ts";

/** Further findings of one note are dropped. */
const MAX_FINDINGS = 100;

/** The dependencies of checking a note. */
export interface NoteChecks {
  readonly targets: LinkTargets;
  readonly parseYaml: ParseYaml;
}

export interface CheckedNote {
  readonly path: string;
  readonly text: string;
  readonly scan: NoteScan;
  /** The links that Obsidian found, if it has indexed this very text. */
  readonly links?: readonly NoteLink[] | undefined;
}

/** Everything wrong with a note, in the order of its text. */
export function checkNote(note: CheckedNote, checks: NoteChecks): readonly Diagnostic[] {
  const lines = new TextLines(note.text);
  const findings = [
    ...findInProperties(note, checks),
    ...(note.links ?? note.scan.links).flatMap((link) => checkLink(link, note.path, checks)),
    ...findInBody(note.scan),
  ];
  return findings
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_FINDINGS)
    .map(({ severity, code, message, start, end }) => {
      return { range: lines.rangeOf(start, end), severity, message, source: "obsidian", code };
    });
}

function findInProperties({ text, scan }: CheckedNote, checks: NoteChecks): readonly TextFinding[] {
  const { properties } = scan;
  if (properties === undefined) return [];
  const yaml = text.slice(properties.start, properties.end);
  return checkProperties(yaml, checks.parseYaml).map((finding) => ({
    ...finding,
    start: finding.start + properties.start,
    end: finding.end + properties.start,
  }));
}

function findInBody(scan: NoteScan): readonly TextFinding[] {
  const unclosed = scan.unclosed.map(({ what, start, end }): TextFinding => {
    const code = `unclosed-${what}` as const;
    return { severity: "warning", code, message: texts.diagnostics[code], start, end };
  });
  const footnotes = scan.footnoteRefs
    .filter(({ name }) => !scan.footnotes.has(name.toLowerCase()))
    .map((ref) => named(ref, "information", "missing-footnote"));
  return [...unclosed, ...footnotes, ...repeatedIds(scan)];
}

function repeatedIds({ blockIds }: NoteScan): readonly TextFinding[] {
  const seen = new Set<string>();
  return blockIds.flatMap((id) => {
    const key = id.name.toLowerCase();
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen ? named(id, "warning", "repeated-block") : [];
  });
}

function named(
  { name, start, end }: Named,
  severity: DiagnosticSeverity,
  code: "missing-footnote" | "repeated-block",
): TextFinding {
  return { severity, code, message: texts.diagnostics[code]({ name }), start, end };
}
