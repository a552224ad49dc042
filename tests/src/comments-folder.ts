import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { main } from "idewire";
import { temporaryFolder } from "./temporary-folder.ts";

export interface CommentsRun {
  readonly code: number;
  /** The output on stdout and stderr, in the order of writing. */
  readonly text: string;
  readonly output: string;
  readonly errors: string;
}

export interface CommentsRunOptions {
  /** The typed input. */
  readonly keys?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether stdout and stderr are a terminal. */
  readonly isTerminal?: boolean;
}

/** A folder, in which `idewire comments` runs from source in this process. */
export interface CommentsFolder {
  readonly folder: string;
  write(name: string, text: string): void;
  read(name: string): string;
  run(words: readonly string[], options?: CommentsRunOptions): Promise<CommentsRun>;
}

/** Git without the configuration of this machine. */
const ownGit = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1" };

/** @param source the text of its only file, `a.js` */
export function openCommentsFolder(source: string): CommentsFolder {
  const folder = temporaryFolder("comments-");
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("a.js", source);
  return {
    folder,
    write,
    read: (name) => readFileSync(join(folder, name), "utf8"),
    async run(words, { keys = "", isTerminal = false, env = {} } = {}) {
      const stdin = new PassThrough();
      const open = () => Object.assign(new PassThrough(), isTerminal ? { isTTY: true } : {});
      const [stdout, stderr] = [open(), open()];
      let [text, output, errors] = ["", "", ""];
      stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        output += chunk;
      });
      stderr.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        errors += chunk;
      });
      stdin.end(keys);
      const io = {
        ...{ stdin, stdout, stderr, cwd: folder, onSignal: () => () => {} },
        env: { HOME: folder, USER: "ann", ...ownGit, ...env },
      };
      const code = await main(["comments", ...words], { ...io, exit: () => {} });
      return { code, text, output, errors };
    },
  };
}
