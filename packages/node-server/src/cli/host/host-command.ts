import { Command } from "commander";
import { addListenFlags, checkListenFlags, type ListenFlags } from "../flags/listen-flags.ts";
import { describe } from "../help/manual.ts";
import type { CliIo } from "../process/io.ts";
import { serveStdioHost } from "./stdio-host.ts";

/** `idewire host`; `onExit` gets the exit code. */
export function createHostCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("host")
    .description("Offer another program to agents as their editor.")
    .requiredOption("--stdio", "speak with the editor on stdin and stdout");
  addListenFlags(command);
  describe(command, {
    description: [
      "The editor, in any language, says what is selected and answers what agents ask, a line of JSON each on stdin and stdout; docs/host-protocol.md has the whole of it. It ends with its stdin.",
    ],
    environment: ["HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME"],
    files: ["~/.claude/ide/<port>.lock", "~/.claude-code/<port>.json", "~/.local/state/idewire/"],
    examples: [
      ["idewire host --stdio", "an editor speaks on stdin and stdout"],
      ["idewire host --stdio --share path", "agents learn the active file, no more"],
    ],
  });
  return command.action(async (flags: ListenFlags) => {
    checkListenFlags(command, flags, io);
    onExit(await serveStdioHost(flags, io));
  });
}
