import { Command } from "commander";
import { readVersion } from "../../version.ts";
import { ExitCode } from "../exit-status.ts";
import type { CliIo } from "../io.ts";
import { printPage } from "../print.ts";
import { createPalette, wantsColour } from "../terminal/palette.ts";
import { describe, manualOf } from "./manual.ts";
import { renderRoff } from "./render-roff.ts";
import { renderText } from "./render-text.ts";

/** The help of a command, as wide as the terminal. */
export function formatHelp(command: Command, io: CliIo): string {
  const palette = createPalette(wantsColour(io));
  return renderText(manualOf(command), { columns: io.stdout.columns ?? 80, palette });
}

/** `idewire help`; `onExit` gets the exit code. */
export function createHelpCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("help")
    .description("Show the manual page of a command.")
    .argument("[command]", "its name; idewire itself when left out")
    .option("--man", "print all pages as one for man, in roff");
  describe(command, {
    description: ["The same is printed by idewire <command> --help."],
    environment: ["NO_COLOR", "FORCE_COLOR"],
    examples: [
      ["idewire help serve", "everything about serve"],
      ["idewire help --man | man -l -", "all of it, in the pager"],
    ],
  });
  return command.action((name: string | undefined, { man }: { readonly man?: true }) => {
    const program = command.parent ?? command;
    const asked =
      name === undefined ? program : program.commands.find((sub) => sub.name() === name);
    if (asked === undefined) return command.error(`error: unknown command '${name}'`);
    printPage(io.stdout, man ? renderRoff(program, readVersion()) : formatHelp(asked, io));
    onExit(ExitCode.Ok);
  });
}
