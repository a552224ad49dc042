import type { CommentWorkspace } from "@idewire/paired-comments";
import { type Printer, showBriefly } from "../output/print.ts";
import type { CliOutput } from "../process/io.ts";

/** What takes less time needs no word. */
const TIMEOUT_MS = 500;
const INTERVAL_MS = 100;

/** Says on a terminal how many files of comments have been read, while that goes on. */
export interface Progress {
  /** Counts what is read of a workspace. */
  readonly count: (workspace: CommentWorkspace) => CommentWorkspace;
  /** Takes the line away, if there is one, before anything is printed. */
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
      // A timer would never run while a folder is read synchronously.
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
