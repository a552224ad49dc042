import { Command, CommanderError } from "commander";
import { readVersion } from "../version.ts";
import { createCallCommand } from "./call-command.ts";
import { createControlCommands } from "./control/control-command.ts";
import { createDoctorCommand } from "./doctor/doctor-command.ts";
import { createHostCommand } from "./host/host-command.ts";
import { type CliIo, processIo } from "./io.ts";
import { createListCommand } from "./list-command.ts";
import { createServeCommand } from "./serve-command.ts";
import { createTailCommand } from "./tail-command.ts";

export type { CliIo, Input, Output, StopSignal } from "./io.ts";

/** In the order of the help. */
const COMMANDS = [
  createServeCommand,
  createHostCommand,
  createListCommand,
  createDoctorCommand,
  createCallCommand,
  createTailCommand,
];

/** The command line itself was wrong. */
const USAGE_ERROR = 2;

/**
 * Runs the `idewire` command.
 * @param argv what follows the program's name
 * @param io the world around it; this process when left out
 * @returns the exit code: 0 after an orderly end, 1 when it could not start, 2 for a wrong command
 * line, 128 + n after signal n
 */
export async function main(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  bearGoneReaders(io);
  let exitCode = 0;
  const program = createProgram(io);
  const onExit = (code: number) => {
    exitCode = code;
  };
  for (const command of [
    ...COMMANDS.map((createCommand) => createCommand(io, onExit)),
    ...createControlCommands(io, onExit),
  ]) {
    command.copyInheritedSettings(program);
    program.addCommand(command.showHelpAfterError(`Try idewire ${command.name()} --help`));
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : USAGE_ERROR;
  }
  return exitCode;
}

/** EPIPE: nobody reads any more. Unheard, it would be an uncaught exception, also after the end. */
function bearGoneReaders({ stdout, stderr }: CliIo): void {
  for (const output of [stdout, stderr]) {
    if (!output.listeners("error").includes(ignore)) output.on("error", ignore);
  }
}

function ignore(): void {}

function createProgram(io: CliIo): Command {
  return new Command("idewire")
    .description("Makes a folder the editor that coding agents connect to.")
    .version(readVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Try idewire serve --help")
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
    })
    .addHelpText(
      "after",
      `
Examples:
  $ idewire serve                      serve this folder
  $ idewire serve notes --share path   tell agents no more than the active file
  $ idewire doctor                     why does the agent not see the editor?
  $ idewire serve --help               all options
`,
    );
}
