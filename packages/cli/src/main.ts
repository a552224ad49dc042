import { setImmediate } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { Command, CommanderError } from "commander";
import { createCommentsCommand } from "./comments/comments-command.ts";
import { createCallCommand } from "./debug/call/call-command.ts";
import { createCheckCommand } from "./debug/check/check-command.ts";
import { createCompletionCommand } from "./debug/completion/completion-command.ts";
import { createDoctorCommand } from "./debug/doctor/doctor-command.ts";
import { createInspectCommand } from "./debug/inspect/inspect-command.ts";
import { createListCommand } from "./debug/list/list-command.ts";
import { createSimulateCommand } from "./debug/simulate/simulate-command.ts";
import { createTailCommand } from "./debug/tail/tail-command.ts";
import { createCompareCommand } from "./debug/trace/compare-command.ts";
import { createReplayCommand } from "./debug/trace/replay-command.ts";
import { createScenarioCommand } from "./debug/trace/scenario-command.ts";
import { createSummaryCommand } from "./debug/trace/summary-command.ts";
import { createControlCommands } from "./drive/control-command.ts";
import { createHelpCommand } from "./help/help-command.ts";
import { describe, helpConfiguration, helpWidth } from "./help/manual.ts";
import { createMcpCommand } from "./mcp/mcp-command.ts";
import { explainError } from "./output/explain-error.ts";
import { wantsColour } from "./output/palette.ts";
import { complain, logLines, printPage } from "./output/print.ts";
import { ExitCode } from "./process/exit-status.ts";
import { type CliIo, processIo } from "./process/io.ts";
import { readVersion } from "./process/version.ts";
import { createBridgeCommand } from "./serve/bridge/bridge-command.ts";
import { createHostCommand } from "./serve/host/host-command.ts";
import { createServeCommand } from "./serve/serve-command.ts";

/** In the order of the help. */
const COMMANDS = [
  createServeCommand,
  createHostCommand,
  createListCommand,
  createDoctorCommand,
  createCallCommand,
  createTailCommand,
  createInspectCommand,
  createSimulateCommand,
  createScenarioCommand,
  createSummaryCommand,
  createCompareCommand,
  createReplayCommand,
  createMcpCommand,
  createBridgeCommand,
  createCommentsCommand,
  createCheckCommand,
];

/**
 * Runs the `idewire` command.
 * @param argv what follows the program's name
 * @param io the world around it; this process when left out
 * @returns the exit code: 0 after an orderly end, 1 when it could not start, 2 for a wrong command
 * line, 128 + n after signal n
 */
export async function main(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  const lossOf = watchOutput(io);
  let exitCode: number = ExitCode.Ok;
  const onExit = (code: number) => {
    exitCode = code;
  };
  const program = createProgram({ ...io, args: argv }, onExit);
  io.onCrash?.((error) => {
    complain(io, describeBug(error));
    io.exit(ExitCode.Failed);
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      complain(io, error instanceof IdewireError ? explainError(error) : describeBug(error));
      return ExitCode.Failed;
    }
    exitCode = error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
  }
  const loss = await lossOf();
  if (loss === undefined) return exitCode;
  complain(io, `the output cannot be written: ${loss}`);
  return exitCode || ExitCode.Failed;
}

/** Where it happened, for a report. */
function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Errors by which wanted output is lost. */
const LOSSES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file has become too large",
};

/** Resolves, once the output is written as far as possible, to the reason why some of it is lost. */
type OutputWatch = () => Promise<string | undefined>;

/** Without a listener each error would be an uncaught exception, even after the end. EPIPE: the reader has closed it. */
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

/** The whole tree of commands. */
export function createProgram(io: CliIo, onExit: (code: number) => void): Command {
  const program = createRoot(io);
  for (const command of [
    ...COMMANDS.map((createCommand) => createCommand(io, onExit)),
    ...createControlCommands(io, onExit),
    createCompletionCommand(io, onExit),
    createHelpCommand(onExit),
  ]) {
    command.copyInheritedSettings(program);
    program.addCommand(command.showHelpAfterError(`Try idewire ${command.name()} --help`));
  }
  return program;
}

function createRoot(io: CliIo): Command {
  const root = new Command("idewire")
    .description("Makes a folder the editor that coding agents connect to.")
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
      // It repeats what was typed.
      outputError: (text) => logLines(io, text.trimEnd()),
    });
  return describe(root, {
    description: [
      "Coding agents such as Claude Code look for an editor that tells them what is selected and shows their changes. idewire is such an editor for any folder, and connects other editors to agents.",
    ],
    examples: [
      ["idewire serve", "serve this folder"],
      ["idewire serve notes --share path", "share only the active file with agents"],
      ["idewire doctor", "why does the agent not see the editor?"],
      ["idewire help serve", "everything about serve"],
    ],
  });
}
