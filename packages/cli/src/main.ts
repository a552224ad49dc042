import { setImmediate } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { Command, CommanderError } from "commander";
import { type CommandEntry, commandGroups } from "./commands.ts";
import { createHelpCommand } from "./help/help-command.ts";
import {
  describe,
  helpConfiguration,
  helpWidth,
  introduce,
  showUsageAfterError,
} from "./help/manual.ts";
import { explainError } from "./output/explain-error.ts";
import { wantsColour } from "./output/palette.ts";
import { complain, logLines, printPage } from "./output/print.ts";
import { loadWidths } from "./output/wrap.ts";
import { endDespiteLog } from "./process/end-in-time.ts";
import { ExitCode } from "./process/exit-status.ts";
import { type CliIo, processIo } from "./process/io.ts";
import { readVersion } from "./process/version.ts";

/**
 * Runs the `idewire` command.
 * @param argv the arguments after the program's name
 * @param io the environment of the command; this process when left out
 * @returns the exit code: 0 after an orderly end, 1 when it could not start, 2 for a wrong command line, 128 +
 * n after signal n
 */
export async function main(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  const lossOf = watchOutput(io);
  if (io.stdout.isTTY === true || io.stderr.isTTY === true) await loadWidths();
  let exitCode: number = ExitCode.Ok;
  const onExit = (code: number) => {
    exitCode = code;
  };
  io.onCrash?.((error) => {
    complain(io, describeBug(error));
    io.exit(ExitCode.Failed);
  });
  try {
    const program = await createProgram({ ...io, args: argv }, onExit, namedIn(argv));
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      complain(io, error instanceof IdewireError ? explainError(error) : describeBug(error));
      return ExitCode.Failed;
    }
    exitCode = error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
  }
  const loss = await lossOf();
  endDespiteLog(exitCode, io);
  if (loss === undefined) return exitCode;
  complain(io, `the output cannot be written: ${loss}`);
  return exitCode || ExitCode.Failed;
}

/** With the stack, for a bug report. */
function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Errors that lose output. */
const LOSSES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file has become too large",
};

/** Resolves, once the output is written as far as possible, to the reason for any loss. */
type OutputWatch = () => Promise<string | undefined>;

/** Without a listener, each error would be an uncaught exception, even at the end. EPIPE: the reader has closed it. */
function watchOutput({ stdout, stderr }: CliIo): OutputWatch {
  let loss: string | undefined;
  const receive = ({ code = "" }: NodeJS.ErrnoException) => {
    loss ??= LOSSES[code];
  };
  for (const output of [stdout, stderr]) {
    if (!output.listeners("error").includes(ignore)) output.on("error", ignore);
  }
  stdout.on("error", receive);
  return async () => {
    // A file's error is reported in a later turn than its write.
    await new Promise((resolve) => setImmediate(resolve));
    stdout.off("error", receive);
    return loss;
  };
}

function ignore(): void {}

/** The commands whose modules a command line needs. */
function namedIn([first, second]: readonly string[]): readonly string[] | "all" {
  if (first === "completion") return "all";
  return [first === "help" ? second : first].filter((name) => name !== undefined);
}

/**
 * The tree of commands.
 * @param wanted the commands to load; the others have only a line in the list
 */
export async function createProgram(
  io: CliIo,
  onExit: (code: number) => void,
  wanted: readonly string[] | "all" = "all",
): Promise<Command> {
  const program = createRoot(io);
  const create = async ({ name, summary, load }: CommandEntry) => {
    const isWanted = wanted === "all" || wanted.includes(name);
    const command = isWanted ? (await load())(io, onExit) : new Command(name);
    return introduce(command, summary);
  };
  for (const { title, commands } of commandGroups) {
    for (const entry of commands) {
      program.addCommand((await create(entry)).helpGroup(`${title}:`));
    }
  }
  program.addCommand(createHelpCommand(onExit).helpGroup("Debug:"));
  for (const command of program.commands) inherit(command, program);
  return program;
}

/** Applies the settings of the parent to a command and its subcommands. */
function inherit(command: Command, above: Command): void {
  command.copyInheritedSettings(above);
  showUsageAfterError(command);
  for (const below of command.commands) inherit(below, command);
}

function createRoot(io: CliIo): Command {
  const root = new Command("idewire")
    .version(readVersion(), "-v, --version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Try idewire --help")
    .configureHelp(helpConfiguration)
    .configureOutput({
      writeOut: (text) => printPage(io.stdout, text),
      writeErr: (text) => printPage(io.stderr, text),
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
      getOutHasColors: () => wantsColour(io),
      getErrHasColors: () => wantsColour(io),
      // The message quotes the typed text.
      outputError: (text) => logLines(io, text.trimEnd()),
    });
  describe(root, {
    description: [
      "Coding agents such as Claude Code look for an editor that reports the selection and shows their changes. idewire is such an editor for any folder, and connects other editors to agents.",
    ],
    examples: [
      ["idewire serve", "serve this folder"],
      ["idewire serve notes --share path", "share only the active file with agents"],
      ["idewire doctor", "why does the agent not see the editor?"],
      ["idewire help serve", "everything about serve"],
    ],
  });
  return introduce(root, "make a folder the editor that coding agents connect to");
}
