import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import {
  checkFeed,
  type DiagnosticFeed,
  findProblemMatcher,
  languageServerFeed,
  type ProblemMatcher,
  readProblemMatchers,
} from "../folder-host/index.ts";
import { codeOf } from "../folder-host/native-path.ts";
import type { CliIo } from "./io.ts";
import type { Notices } from "./notices.ts";

/** Which programs say what is wrong; as commander gives it. */
export interface FeedFlags {
  readonly lsp?: readonly string[];
  readonly check?: readonly CheckFlag[];
  /** Belongs to the check before it, which has it already. */
  readonly matcher?: unknown;
}

interface CheckFlag {
  readonly command: string;
  /** Names, or files. */
  readonly matchers: readonly string[];
}

/** The programs, with how the output of each is read. */
export interface FeedPlan {
  readonly servers: readonly string[];
  readonly checks: readonly {
    readonly command: string;
    readonly matchers?: readonly ProblemMatcher[];
  }[];
}

/** Adds the flags of {@link FeedFlags}. */
export function addFeedFlags(command: Command): Command {
  let checks: readonly CheckFlag[] = [];
  return command
    .option(
      "--lsp <command>",
      "a language server that finds what is wrong; may be repeated",
      (text: string, others: readonly string[] = []) => [...others, demandCommand(text)],
    )
    .option(
      "--check <command>",
      "a linter or compiler, run after changes; may be repeated",
      (text: string) => {
        checks = [...checks, { command: demandCommand(text), matchers: [] }];
        return checks;
      },
    )
    .option(
      "--matcher <name|file>",
      "how to read the output of the --check before it",
      (name: string) => {
        const last = checks.at(-1);
        if (last === undefined) throw new InvalidArgumentError("Expected a --check before it.");
        (last.matchers as string[]).push(name);
        return name;
      },
    );
}

/** Reads the matchers; a wrong one ends the command as a wrong command line does. */
export async function planFeeds(
  command: Command,
  { lsp = [], check = [] }: FeedFlags,
  io: CliIo,
): Promise<FeedPlan> {
  const checks = check.map(async ({ command: text, matchers }) => {
    const found = await Promise.all(matchers.map((name) => findMatchers(name, io.cwd)));
    return { command: text, ...(matchers.length > 0 && { matchers: found.flat() }) };
  });
  try {
    return { servers: lsp, checks: await Promise.all(checks) };
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** As they were typed. */
export function commandsOf({ servers, checks }: FeedPlan): readonly string[] {
  return [...servers, ...checks.map(({ command }) => command)];
}

/** Makes the feeds; they start when a folder is given them. */
export async function openFeeds(
  { servers, checks }: FeedPlan,
  notices: Notices,
): Promise<readonly DiagnosticFeed[]> {
  const ears = { onNotice: notices.say, onLine: notices.log };
  return Promise.all([
    ...servers.map((command) => languageServerFeed({ command, ...ears })),
    ...checks.map((check) => checkFeed({ ...check, ...ears })),
  ]);
}

async function findMatchers(name: string, cwd: string): Promise<readonly ProblemMatcher[]> {
  const named = await findProblemMatcher(name);
  if (named !== undefined) return [named];
  const quoted = JSON.stringify(name);
  const text = await readFile(resolve(cwd, name), "utf8").catch((error: unknown) => {
    const names = "tsc, eslint-stylish, eslint-compact, gcc, cargo, go, unix";
    const why = `neither one of ${names}, nor a file that can be read (${codeOf(error)})`;
    throw new Error(`--matcher ${quoted} is ${why}`);
  });
  try {
    return await readProblemMatchers(text);
  } catch (error) {
    throw new Error(`--matcher ${quoted}: ${(error as Error).message}`);
  }
}

function demandCommand(text: string): string {
  if (text.trim() !== "" && !text.includes("\0")) return text;
  throw new InvalidArgumentError("Expected a command line.");
}
