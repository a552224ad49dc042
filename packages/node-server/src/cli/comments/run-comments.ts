import { resolve } from "node:path";
import { IdewireError } from "@idewire/core";
import { CommentError } from "@idewire/paired-comments";
import { workingFolder } from "../flags/agent-flags.ts";
import { createPrinter } from "../output/print.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import { explain, invalid } from "./action.ts";
import { actions } from "./actions.ts";
import type { CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { serveComments } from "./serve-comments.ts";

/** What stands on the command line. */
export interface CommentsCall {
  readonly action: string;
  readonly words: readonly string[];
  readonly flags: CommentFlags;
}

/** Does what `idewire comments` was told to; resolves to the exit code. */
export function runComments({ action, words, flags }: CommentsCall, io: CliIo): Promise<number> {
  const folder = workingFolder(io, flags.cwd);
  const run = actions.get(action);
  if (run === undefined) return serve(words, folder, { flags, io });
  return runUntilStopped(io, async () => {
    const store = await openCommentStore(folder);
    try {
      return await run(words, { store, folder, printer: createPrinter(io), flags, io });
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      throw new IdewireError("invalid-argument", explain(error), { cause: error });
    }
  });
}

/** Serves the folder that is named, or the one that the command is in. */
function serve(
  [named = ".", ...others]: readonly string[],
  folder: string,
  { flags, io }: { readonly flags: CommentFlags; readonly io: CliIo },
): Promise<number> {
  if (others.length === 0) return serveComments(resolve(folder, named), flags, io);
  return runUntilStopped(io, async () => {
    throw invalid("usage: idewire comments serve [folder]");
  });
}
