import {
  formatJunit,
  formatSarif,
  type JunitCase,
  type SarifResult,
  type SarifRule,
} from "@idewire/devtools/internal";
import { commentsSuffix, type ListedComment } from "@idewire/paired-comments/internal";
import { readVersion } from "../process/version.ts";

/** The fault of a comment, or of a file of comments. */
export interface CommentFault {
  readonly rule: "orphaned" | "ambiguous" | "changed" | "unreadable";
  readonly text: string;
}

export interface CommentVerdict {
  readonly filePath: string;
  /** Absent for a file that cannot be read. */
  readonly located?: ListedComment;
  /** Absent if there is none. */
  readonly fault?: CommentFault;
}

const rules: readonly SarifRule[] = [
  rule(
    "orphaned",
    "A comment has lost its code",
    "Move it with idewire comments fix, or delete it.",
  ),
  rule("ambiguous", "The place of a comment is a guess", "Confirm it with idewire comments fix."),
  rule("changed", "Code has changed without its comment", "Edit, resolve or delete the comment."),
  rule("unreadable", "A file of comments cannot be read", "Fix it, or restore it from a backup."),
];

function rule(id: CommentFault["rule"], text: string, advice: string): SarifRule {
  return { id, text, explanation: `${text}. ${advice}`, level: "error" };
}

/** A case for each comment, and for each file that cannot be read. */
export function formatVerdictJunit(verdicts: readonly CommentVerdict[], ms: number): string {
  const cases = verdicts.map(({ filePath, located, fault }): JunitCase => {
    const { id = "the file of comments", tag = "" } = located?.comment ?? {};
    const body = [fault?.text ?? "", located?.comment.text ?? ""].join("\n").trim();
    const outcome =
      fault === undefined
        ? ({ kind: "passed" } as const)
        : ({ kind: "failed", message: fault.text, type: fault.rule, body } as const);
    return { group: filePath, name: `${tag} ${id}`.trim(), ms: 0, outcome };
  });
  return formatJunit({ name: "idewire comments check", ms, cases });
}

/** A result for each fault, on the line of the comment. */
export function formatVerdictSarif(verdicts: readonly CommentVerdict[]): string {
  const results = verdicts.flatMap(({ filePath, located, fault }): readonly SarifResult[] => {
    if (fault === undefined) return [];
    const place =
      located === undefined
        ? { path: filePath + commentsSuffix, line: 1 }
        : { path: filePath, line: located.place.line, endLine: located.place.endLine };
    const fingerprint = `${fault.rule} ${filePath} ${located?.comment.id ?? ""}`.trim();
    const quoted = located && `${located.comment.id}: ${located.comment.text}`;
    const text = quoted === undefined ? fault.text : `${quoted} (${fault.text})`;
    return [{ ruleId: fault.rule, level: "error", text, place, fingerprint }];
  });
  const tool = { name: "idewire comments", version: readVersion() };
  return formatSarif({ tool, rules, results });
}
