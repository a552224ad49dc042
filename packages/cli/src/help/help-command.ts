import { Command } from "commander";
import { ExitCode, printed } from "../process/exit-status.ts";
import { describe, introduce } from "./manual.ts";

/** `idewire help`; `onExit` gets the exit code. */
export function createHelpCommand(onExit: (code: number) => void): Command {
  const command = new Command("help").argument(
    "[command-name...]",
    "its name, and that of its subcommand; idewire itself when left out",
  );
  describe(command, {
    description: ["The same is printed by idewire <command> --help."],
    exits: printed,
    environment: ["NO_COLOR", "FORCE_COLOR"],
    examples: [
      ["idewire help serve", "everything about serve"],
      ["idewire help comments add", "one subcommand"],
    ],
  });
  introduce(command, "show the help of a command");
  return command.action((names: readonly string[]) => {
    let asked = command.parent ?? command;
    for (const name of names) {
      const found = asked.commands.find((sub) => sub.name() === name);
      if (found === undefined) return command.error(`error: unknown command '${names.join(" ")}'`);
      asked = found;
    }
    asked.outputHelp();
    onExit(ExitCode.Ok);
  });
}
