import type { LocatedComment } from "@idewire/paired-comments";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, describeCandidate, printComment, reportUnreadable } from "./action.ts";
import { interrupt, readKeys } from "./read-keys.ts";

interface Lost {
  readonly filePath: string;
  readonly located: LocatedComment;
}

/** Asks about each comment that has lost its code or whose place is a guess. */
export async function fix(words: readonly string[], context: ActionContext): Promise<number> {
  const { printer, io } = context;
  const { lost, isWhole } = await findLost(words, context);
  if (lost.length === 0) printer.print(line`No comment has lost its code.`);
  const keys = readKeys(io.stdin);
  let left = lost.length;
  try {
    for (const each of lost) {
      const answer = await ask(each, keys, context);
      if (answer === "interrupted") return ExitCode.Interrupted;
      if (answer === "quit") break;
      if (answer === "done") left--;
    }
  } finally {
    await keys.return();
    io.stdin.destroy();
  }
  if (left > 0) printer.print(line`Left as they are: ${left}`);
  return left === 0 && isWhole ? ExitCode.Ok : ExitCode.Failed;
}

/** Incomplete if a file cannot be read. */
async function findLost(
  words: readonly string[],
  { store, printer }: ActionContext,
): Promise<{ readonly lost: readonly Lost[]; readonly isWhole: boolean }> {
  const { files, errors } =
    words.length > 0
      ? { files: words.map((filePath) => ({ filePath })), errors: [] }
      : await store.all();
  reportUnreadable(errors, printer);
  const lost: Lost[] = [];
  for (const file of files) {
    const { comments, filePath } = await store.fileWithCandidates(file.filePath);
    for (const located of comments) {
      const { status } = located.place;
      if (status === "orphaned" || status === "ambiguous") lost.push({ filePath, located });
    }
  }
  return { lost, isWhole: errors.length === 0 };
}

/** Shows a comment and performs the action of the next valid key. */
async function ask(
  lost: Lost,
  keys: AsyncGenerator<string, void>,
  context: ActionContext,
): Promise<"done" | "skipped" | "quit" | "interrupted"> {
  const { filePath, located } = lost;
  const { candidates } = located.place;
  const { printer, store } = context;
  const { id } = located.comment;
  const numbers = candidates.map((_, index) => `${index + 1}`).join(", ");
  const choice = candidates.length === 0 ? "" : `${numbers} move it there, `;
  showLost(lost, context);
  printer.print(line`    was: ${located.marker.tracking?.quote.exact ?? ""}`);
  printer.print(line`${choice}d delete it, s skip it, q quit`);
  for (;;) {
    const { value: key, done } = await keys.next();
    if (done === true || key === "q") return "quit";
    if (key === interrupt) return "interrupted";
    if (key === "s") return "skipped";
    if (key === "d") {
      await store.remove(filePath, id);
      printer.print(line`Deleted: ${id}`);
      return "done";
    }
    const candidate = /^[1-9]$/.test(key) ? candidates[Number(key) - 1] : undefined;
    if (candidate === undefined) continue;
    const target = { filePath: candidate.filePath ?? filePath, line: candidate.line };
    const { to } = await store.move(filePath, id, { ...target, quote: candidate.text });
    printer.print(line`Moved: ${to.comment.id} to ${to.filePath}:${to.marker.line}`);
    return "done";
  }
}

/** Numbers the candidates by the keys that choose them. */
function showLost({ filePath, located }: Lost, context: ActionContext): void {
  if (context.flags.json) {
    printComment(located, filePath, context);
    return;
  }
  const { place } = located;
  printComment({ ...located, place: { ...place, candidates: [] } }, filePath, context);
  for (const [index, candidate] of place.candidates.entries()) {
    context.printer.print(line`    ${index + 1} ${describeCandidate(candidate, filePath)}`);
  }
}
