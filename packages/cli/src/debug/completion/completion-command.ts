import { Argument, Command } from "commander";
import { describe } from "../../help/manual.ts";
import { printPage } from "../../output/print.ts";
import { ExitCode, printed } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { renderBash } from "./bash.ts";
import { readCommandTree } from "./command-tree.ts";
import { renderFish } from "./fish.ts";
import { renderZsh } from "./zsh.ts";

const RENDERERS = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const;

type Shell = keyof typeof RENDERERS;

/** `idewire completion`; `onExit` gets the exit code. */
export function createCompletionCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("completion").addArgument(
    new Argument("<shell>", "which shell").choices(Object.keys(RENDERERS)),
  );
  describe(command, {
    description: ["Commands, options, their values, files and folders are completed by Tab."],
    exits: printed,
    examples: [
      [`eval "$(idewire completion bash)"`, "in ~/.bashrc"],
      [`eval "$(idewire completion zsh)"`, "in ~/.zshrc, after compinit"],
      ["idewire completion fish > ~/.config/fish/completions/idewire.fish", "once, for fish"],
    ],
  });
  return command.action((shell: Shell) => {
    const program = command.parent ?? command;
    printPage(io.stdout, RENDERERS[shell](readCommandTree(program)));
    onExit(ExitCode.Ok);
  });
}
