import type { CliIo } from "../process/io.ts";
import { logLines } from "./print.ts";

/** Messages of and about the programs that the command runs. */
export interface Notices {
  /** A line for the person, shown as soon as there is a frontend. */
  readonly print: (words: string) => void;
  /** A line of a program's stderr, for the log. */
  readonly log: (line: string) => void;
  /** Passes each line to the listener, including earlier ones. */
  show(listener: (words: string) => void): void;
}

/** The log is stderr, except at a prompt, where its lines would disturb the typing. */
export function createNotices({ stderr }: CliIo): Notices {
  let listener: ((words: string) => void) | undefined;
  const early: string[] = [];
  return {
    print(words) {
      if (listener === undefined) early.push(words);
      else listener(words);
    },
    log(line) {
      if (stderr.isTTY !== true) logLines({ stderr }, line);
    },
    show(next) {
      listener = next;
      for (const words of early.splice(0)) next(words);
    },
  };
}
