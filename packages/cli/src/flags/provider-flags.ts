import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { codeOf } from "@idewire/node-server/internal";
import { type Command, InvalidArgumentError, Option } from "commander";
import type {
  DiagnosticsProvider,
  LanguageServerOptions,
  ProblemMatcher,
} from "../folder-host/index.ts";
import {
  findProblemMatcher,
  languageServerProvider,
  linterProvider,
  readProblemMatchers,
  readServerSettings,
} from "../folder-host/providers.ts";
import type { Notices } from "../output/notices.ts";
import type { CliIo } from "../process/io.ts";

/** The programs that provide diagnostics, as parsed by commander. */
export interface ProviderFlags {
  readonly lsp?: readonly ServerFlag[];
  readonly lint?: readonly LinterFlag[];
  /** The former name of `--lint`. */
  readonly check?: readonly LinterFlag[];
  // Applied to the program before them already.
  readonly lspSettings?: unknown;
  readonly lspInitOptions?: unknown;
  readonly matcher?: unknown;
}

interface ServerFlag {
  readonly command: string;
  /** JSON, or a file. */
  settings?: string;
  initializationOptions?: string;
}

interface LinterFlag {
  readonly command: string;
  /** Names, or files. */
  readonly matchers: string[];
}

/** The programs, with their settings and matchers. */
export interface ProviderPlan {
  readonly servers: readonly Pick<
    LanguageServerOptions,
    "command" | "settings" | "initializationOptions"
  >[];
  readonly linters: readonly {
    readonly command: string;
    readonly matchers?: readonly ProblemMatcher[];
  }[];
}

/** Adds the flags of {@link ProviderFlags}. */
export function addProviderFlags(command: Command): Command {
  const servers: ServerFlag[] = [];
  const linters: LinterFlag[] = [];
  const addLinter = (text: string) =>
    append(linters, { command: demandCommand(text), matchers: [] });
  return command
    .option(
      "--lsp <command>",
      "a language server for diagnostics; may be repeated",
      (text: string) => append(servers, { command: demandCommand(text) }),
    )
    .option(
      "--lsp-settings <json|file>",
      "the settings of the --lsp before it, as in VS Code's settings.json",
      (text: string) => setOnce(servers.at(-1), "settings", text),
    )
    .option(
      "--lsp-init-options <json|file>",
      "the initializationOptions of the --lsp before it",
      (text: string) => setOnce(servers.at(-1), "initializationOptions", text),
    )
    .option(
      "--lint <command>",
      "a linter or compiler, run after changes; may be repeated",
      addLinter,
    )
    .addOption(new Option("--check <command>").argParser(addLinter).hideHelp())
    .option(
      "--matcher <name|file>",
      "how to read the output of the --lint before it",
      (name: string) => {
        const last = linters.at(-1);
        if (last === undefined) throw new InvalidArgumentError("Expected a --lint before it.");
        last.matchers.push(name);
        return name;
      },
    );
}

/** Reads settings and matchers; an invalid one is reported like a wrong command line. */
export async function planProviders(
  command: Command,
  { lsp = [], check = [], lint = check }: ProviderFlags,
  { cwd }: CliIo,
): Promise<ProviderPlan> {
  const servers = lsp.map(async ({ command: text, settings: set, initializationOptions: init }) => {
    const settings = set && (await findSettings("--lsp-settings", set, cwd));
    const initializationOptions = init && (await findSettings("--lsp-init-options", init, cwd));
    return {
      command: text,
      ...(settings && { settings }),
      ...(initializationOptions && { initializationOptions }),
    };
  });
  const linters = lint.map(async ({ command: text, matchers }) => {
    const found = await Promise.all(matchers.map((name) => findMatchers(name, cwd)));
    return { command: text, ...(matchers.length > 0 && { matchers: found.flat() }) };
  });
  try {
    return { servers: await Promise.all(servers), linters: await Promise.all(linters) };
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** As they were typed. */
export function commandsOf({ servers, linters }: ProviderPlan): readonly string[] {
  return [...servers, ...linters].map(({ command }) => command);
}

/** Creates the diagnostics providers; they start once they are given a folder. */
export async function openProviders(
  { servers, linters }: ProviderPlan,
  notices: Notices,
): Promise<readonly DiagnosticsProvider[]> {
  const ears = { onNotice: notices.print, onLine: notices.log };
  return Promise.all([
    ...servers.map((server) => languageServerProvider({ ...server, ...ears })),
    ...linters.map((linter) => linterProvider({ ...linter, ...ears })),
  ]);
}

async function findSettings(
  flag: string,
  given: string,
  cwd: string,
): Promise<Readonly<Record<string, unknown>>> {
  const isText = given.trimStart().startsWith("{");
  const name = isText ? flag : `${flag} ${JSON.stringify(given)}`;
  const text = isText
    ? given
    : await readFile(resolve(cwd, given), "utf8").catch((error: unknown) => {
        const why = `neither a JSON object nor a readable file (${codeOf(error)})`;
        throw new Error(`${name} is ${why}`);
      });
  return readServerSettings(text).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
}

/** The matchers of a name, or of a file relative to `cwd`. */
export async function findMatchers(name: string, cwd: string): Promise<readonly ProblemMatcher[]> {
  const named = await findProblemMatcher(name);
  if (named !== undefined) return [named];
  const quoted = JSON.stringify(name);
  const text = await readFile(resolve(cwd, name), "utf8").catch((error: unknown) => {
    const names =
      "tsc, ms-compile, eslint-stylish, eslint-compact, biome, gcc, cargo, go, kotlin, maven, sbt, python, node, perl, php, phpunit, phpstan, ruby, rspec, minitest, cmake, test-more, node-test, github, unix";
    const why = `neither one of ${names} nor a readable file (${codeOf(error)})`;
    throw new Error(`--matcher ${quoted} is ${why}`);
  });
  try {
    return await readProblemMatchers(text);
  } catch (error) {
    throw new Error(`--matcher ${quoted}: ${(error as Error).message}`);
  }
}

function append<T>(list: T[], item: T): readonly T[] {
  list.push(item);
  return list;
}

/** For a flag that configures the server before it. */
function setOnce(
  server: ServerFlag | undefined,
  member: "settings" | "initializationOptions",
  text: string,
): string {
  if (server === undefined) throw new InvalidArgumentError("Expected an --lsp before it.");
  if (server[member] !== undefined) throw new InvalidArgumentError("The --lsp before it has one.");
  server[member] = text;
  return text;
}

function demandCommand(text: string): string {
  if (text.trim() !== "" && !text.includes("\0")) return text;
  throw new InvalidArgumentError("Expected a command line.");
}
