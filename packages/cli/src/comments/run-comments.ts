import { resolve } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { CommentError } from "@idewire/paired-comments/internal";
import { workingFolder } from "../flags/agent-flags.ts";
import { complainOf, createPrinter } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { explain } from "./action.ts";
import { actions } from "./actions.ts";
import type { CommentAction, CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { serveComments } from "./serve-comments.ts";
import { showProgress } from "./show-progress.ts";
import { UsageError } from "./usage-error.ts";

/** A parsed command line. */
export interface CommentsCall {
  readonly action: CommentAction;
  readonly words: readonly string[];
  readonly flags: CommentFlags;
}

/** Actions that read all files when given this many words: they may take long. */
const wordsForAll: Partial<Record<CommentAction, number>> = {
  list: 0,
  search: 1,
  check: 0,
  fix: 0,
  export: 1,
  migrate: 0,
};

/**
 * Runs a subcommand of `idewire comments`; resolves to the exit code. Signals are left to the system, which
 * terminates the process at once: the files stay intact.
 * @throws UsageError
 */
export async function runComments(
  { action, words, flags }: CommentsCall,
  io: CliIo,
): Promise<number> {
  const folder = workingFolder(io, flags.cwd);
  const act = actions.get(action);
  if (act === undefined) return serveComments(resolve(folder, words[0] ?? "."), flags, io);
  const isShown = io.stderr.isTTY === true && !flags.json && words.length === wordsForAll[action];
  const progress = isShown ? showProgress(io.stderr) : undefined;
  try {
    const store = await openCommentStore(folder, { wrap: progress?.count });
    const plain = createPrinter(io);
    const printer = progress?.before(plain) ?? plain;
    return await act(words, { store, folder, printer, flags, io });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    progress?.end();
    complainOf(io, error instanceof CommentError ? explained(error) : error);
    return ExitCode.Failed;
  } finally {
    progress?.end();
  }
}

function explained(error: CommentError): IdewireError {
  return new IdewireError("invalid-argument", explain(error), { cause: error });
}
