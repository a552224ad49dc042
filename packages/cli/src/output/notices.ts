import type { CliIo } from "../process/io.ts";
import { logLines } from "./print.ts";

/** If the log is read more slowly than programs fill it, lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** What the programs that the command runs have to say. */
export interface Notices {
  /** A line for the person, shown as soon as there is a frontend. */
  readonly print: (words: string) => void;
  /** A line of a program's stderr, for the log. */
  readonly log: (line: string) => void;
  /** Shows each line, those of before too. */
  show(listener: (words: string) => void): void;
}

/** The log is stderr, but not where a person types: lines would run through the prompt. */
export function createNotices({ stderr }: CliIo): Notices {
  let listener: ((words: string) => void) | undefined;
  const early: string[] = [];
  return {
    print(words) {
      if (listener === undefined) early.push(words);
      else listener(words);
    },
    log(line) {
      const isFull = stderr.writableLength > MAX_WAITING_BYTES;
      if (stderr.isTTY !== true && !isFull) logLines({ stderr }, line);
    },
    show(next) {
      listener = next;
      for (const words of early.splice(0)) next(words);
    },
  };
}
