import { resolve } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { CommentError } from "@idewire/paired-comments";
import { workingFolder } from "../flags/agent-flags.ts";
import { complain, complainOf, createPrinter } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { explain } from "./action.ts";
import { actions } from "./actions.ts";
import { checkCommandLine, UsageError, usageOf } from "./command-line.ts";
import type { CommentAction, CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { serveComments } from "./serve-comments.ts";
import { showProgress } from "./show-progress.ts";

/** What stands on the command line. */
export interface CommentsCall {
  readonly action: CommentAction;
  readonly words: readonly string[];
  readonly flags: CommentFlags;
}

/** Does what `idewire comments` was told to; resolves to the exit code. */
export async function runComments(call: CommentsCall, io: CliIo): Promise<number> {
  const { action, words, flags } = call;
  try {
    checkCommandLine(action, words, flags);
    return await run(call, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(io, `${error.message}\n${usageOf(action)}`);
    return ExitCode.Usage;
  }
}

/** Actions on all files, when they have so many words: they may take long. */
const wordsForAll: Partial<Record<CommentAction, number>> = {
  list: 0,
  search: 1,
  check: 0,
  fix: 0,
  export: 1,
  migrate: 0,
};

/** Signals are left to the system, which ends the process at once, whatever it is at: the files stay whole. */
async function run({ action, words, flags }: CommentsCall, io: CliIo): Promise<number> {
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
