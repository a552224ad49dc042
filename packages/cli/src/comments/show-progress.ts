import type { CommentWorkspace } from "@idewire/paired-comments";
import { type Printer, showBriefly } from "../output/print.ts";
import type { CliOutput } from "../process/io.ts";

/** Shorter work shows no progress. */
const TIMEOUT_MS = 500;
const INTERVAL_MS = 100;

/** Shows on a terminal how many files of comments have been read. */
export interface Progress {
  /** Counts the files read from a workspace. */
  readonly count: (workspace: CommentWorkspace) => CommentWorkspace;
  /** Clears the line, if any, before anything is printed. */
  before(printer: Printer): Printer;
  end(): void;
}

/** @param now in milliseconds */
export function showProgress(
  output: CliOutput,
  now: () => number = () => performance.now(),
): Progress {
  const read = new Set<string>();
  let total = 0;
  let shown = "";
  let next = now() + TIMEOUT_MS;
  const show = (words: string) => {
    showBriefly(output, words.padEnd(shown.length));
    shown = words;
  };
  const end = () => {
    next = Number.POSITIVE_INFINITY;
    if (shown !== "") show("");
  };
  const begin = (path: string) => {
    if (now() >= next) {
      show(`${read.size} of ${total} files`);
      next = now() + INTERVAL_MS;
    }
    read.add(path);
  };
  return {
    count: (workspace) => ({
      ...workspace,
      async list() {
        const paths = await workspace.list();
        total = paths.length;
        return paths;
      },
      // A timer would never fire while a folder is read synchronously.
      readComments(path) {
        begin(path);
        return workspace.readComments(path);
      },
    }),
    before({ palette, print, json, text, fail, quote, quoteError }) {
      const after =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          end();
          act(value);
        };
      return {
        ...{ palette, print: after(print), json: after(json) },
        ...{ text: after(text), fail: after(fail), quoteError: after(quoteError) },
        quote(value, style) {
          end();
          quote(value, style);
        },
      };
    },
    end,
  };
}
