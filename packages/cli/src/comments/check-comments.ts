import { resolve } from "node:path";
import { countOf } from "@idewire/core/internal/base";
import { readDocument } from "@idewire/paired-comments";
import {
  commentsSuffix,
  type ListedComment,
  type ListedFile,
} from "@idewire/paired-comments/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, printComment, reportUnreadable } from "./action.ts";
import { type CommentVerdict, formatVerdictJunit, formatVerdictSarif } from "./check-report.ts";
import { openGitHistory } from "./git-history.ts";
import { writeNamed } from "./named-files.ts";

/**
 * Fails on orphans, ambiguous places, unreadable files and, with `--since`, lines changed without their
 * comment: for CI and pre-commit hooks.
 */
export async function check(_: readonly string[], context: ActionContext): Promise<number> {
  const { store, printer, flags } = context;
  const started = performance.now();
  const { files, errors } = await store.all();
  const changes = await changedSince(files, context);
  const verdicts = files.flatMap(({ filePath, comments }) =>
    comments.map((located) => judge(filePath, located, changes.get(keyOf(filePath, located)))),
  );
  for (const verdict of verdicts) show(verdict, context);
  reportUnreadable(errors, printer);
  const all = [
    ...verdicts,
    ...errors.map(({ filePath, error }) => ({
      filePath,
      fault: { rule: "unreadable", text: `${error.message}. ${error.data.suggestion}` } as const,
    })),
  ];
  const ms = performance.now() - started;
  await write(flags.junit, () => formatVerdictJunit(all, ms), context);
  await write(flags.sarif, () => formatVerdictSarif(all), context);
  advise(verdicts, context);
  return all.every(({ fault }) => fault === undefined) ? ExitCode.Ok : ExitCode.Failed;
}

/** The earlier text of the lines, by comment, where it has changed. */
async function changedSince(
  files: readonly ListedFile[],
  { store, folder, flags, printer }: ActionContext,
): Promise<ReadonlyMap<string, string>> {
  const changes = new Map<string, string>();
  if (flags.since === undefined) return changes;
  const history = await openGitHistory(folder, flags.since);
  for (const { filePath } of files) {
    const before = history.changed.get(filePath);
    const earlier = before === undefined ? undefined : await history.read(before);
    if (before === undefined || earlier === undefined) continue;
    if (!readDocument(earlier.comments, filePath, Date.now()).ok) {
      printer.fail(
        line`${before}${commentsSuffix} as of ${flags.since} cannot be read: not compared`,
      );
      continue;
    }
    for (const { located, text } of await store.changedSince(filePath, earlier)) {
      changes.set(keyOf(filePath, located), text);
    }
  }
  return changes;
}

function keyOf(filePath: string, { comment }: ListedComment): string {
  return `${filePath} ${comment.id}`;
}

function judge(
  filePath: string,
  located: ListedComment,
  before: string | undefined,
): CommentVerdict {
  const { status, how } = located.place;
  if (status === "orphaned" || status === "ambiguous") {
    return { filePath, located, fault: { rule: status, text: how } };
  }
  if (before === undefined) return { filePath, located };
  const text = `its code has changed, but the comment has not; before: ${before}`;
  return { filePath, located, fault: { rule: "changed", text } };
}

function show({ filePath, located, fault }: CommentVerdict, context: ActionContext): void {
  if (fault === undefined || located === undefined) return;
  printComment(located, filePath, context);
  if (fault.rule !== "changed") return;
  const { printer, flags } = context;
  if (flags.json) printer.json({ id: located.comment.id, changed: fault.text });
  else printer.print(line`    ${fault.text}`);
}

function advise(verdicts: readonly CommentVerdict[], { printer }: ActionContext): void {
  const changed = verdicts.filter(({ fault }) => fault?.rule === "changed").length;
  const lost = verdicts.filter(({ fault }) => fault !== undefined).length - changed;
  if (lost > 0) {
    const whose = lost === 1 ? "its" : "their";
    printer.fail(
      line`${countOf(lost, "comment")} may have lost ${whose} code: idewire comments fix`,
    );
  }
  if (changed > 0) {
    const what = changed === 1 ? "is" : "are";
    printer.fail(
      line`${countOf(changed, "comment")} ${what} about changed code: idewire comments edit, resolve or delete`,
    );
  }
}

async function write(
  name: string | undefined,
  format: () => string,
  { io }: ActionContext,
): Promise<void> {
  if (name === undefined) return;
  await writeNamed(resolve(io.cwd, name), format());
}
