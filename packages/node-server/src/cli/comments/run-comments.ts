import { resolve } from "node:path";
import { IdewireError } from "@idewire/core";
import { CommentError } from "@idewire/paired-comments";
import { workingFolder } from "../flags/agent-flags.ts";
import { complain, createPrinter } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import { explain } from "./action.ts";
import { actions } from "./actions.ts";
import { checkCommandLine, UsageError, usageOf } from "./command-line.ts";
import type { CommentAction, CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { serveComments } from "./serve-comments.ts";

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

function run({ action, words, flags }: CommentsCall, io: CliIo): Promise<number> {
  const folder = workingFolder(io, flags.cwd);
  const act = actions.get(action);
  if (act === undefined) return serveComments(resolve(folder, words[0] ?? "."), flags, io);
  const start = async () => {
    const store = await openCommentStore(folder);
    try {
      return await act(words, { store, folder, printer: createPrinter(io), flags, io });
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      throw new IdewireError("invalid-argument", explain(error), { cause: error });
    }
  };
  return runUntilStopped(io, start, (error) => {
    if (error instanceof UsageError) throw error;
    return ExitCode.Failed;
  });
}
