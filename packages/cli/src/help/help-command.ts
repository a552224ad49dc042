import { Command } from "commander";
import { ExitCode } from "../process/exit-status.ts";
import { describe } from "./manual.ts";

/** `idewire help`; `onExit` gets the exit code. */
export function createHelpCommand(onExit: (code: number) => void): Command {
  const command = new Command("help")
    .description("Show the help of a command.")
    .argument("[command]", "its name; idewire itself when left out");
  describe(command, {
    description: ["The same is printed by idewire <command> --help."],
    environment: ["NO_COLOR", "FORCE_COLOR"],
    examples: [["idewire help serve", "everything about serve"]],
  });
  return command.action((name: string | undefined) => {
    const program = command.parent ?? command;
    const asked =
      name === undefined ? program : program.commands.find((sub) => sub.name() === name);
    if (asked === undefined) return command.error(`error: unknown command '${name}'`);
    asked.outputHelp();
    onExit(ExitCode.Ok);
  });
}
