import { Command } from "commander";
import { addListenFlags, checkListenFlags, type ListenFlags } from "../../flags/listen-flags.ts";
import { describe } from "../../help/manual.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { serveStdioHost } from "./stdio-host.ts";

/** `idewire host`; `onExit` gets the exit code. */
export function createHostCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("host").requiredOption(
    "--stdio",
    "talk to the editor on stdin and stdout",
  );
  addListenFlags(command);
  describe(command, {
    description: [
      "The editor, written in any language, reports its selection and answers the agents' requests, as lines of JSON on stdin and stdout; docs/reference/host-protocol.md describes them all. The end of stdin stops it.",
    ],
    exits: [
      [ExitCode.Ok, "the editor has closed its end"],
      [ExitCode.Failed, "it could not start, or the editor named no folder"],
      usage,
      ...signals,
    ],
    environment: ["HOME", "CLAUDE_CONFIG_DIR", "XDG_STATE_HOME"],
    files: ["~/.claude/ide/<port>.lock", "~/.claude-code/<port>.json", "~/.local/state/idewire/"],
    examples: [
      ["idewire host --stdio", "an editor on stdin and stdout"],
      ["idewire host --stdio --share path", "share only the active file with agents"],
    ],
  });
  return command.action(async (flags: ListenFlags) => {
    checkListenFlags(command, flags, io);
    onExit(await serveStdioHost(flags, io));
  });
}
