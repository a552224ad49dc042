import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { AGENT_VARIABLES } from "../../flags/agent-flags.ts";
import { parsePort } from "../../flags/parse-port.ts";
import { describe } from "../../help/manual.ts";
import { ExitCode, signals } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { type ReplayFlags, replayTrace } from "./replay-trace.ts";

/** `idewire trace replay`; `onExit` gets the exit code. */
export function createReplayCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("replay")
    .argument("<trace>", "a trace, as inspect --record writes it, or a HAR file")
    .argument("[folder]", "the folder of the editor", ".")
    .option("--connection <name>", "the connection in the trace, such as c2")
    .option("--port <number>", "the editor on this port, whatever its folders are", parsePort)
    .option("--lock <file>", "the editor of this lock file")
    .option("--all", "also send requests with visible effects: diffs, files, tabs, saving")
    .option("--folder <folder>", "the workspace, as the trace names it")
    .addOption(timeoutOption())
    .option("--json", "print one JSON object, with each difference");
  describe(command, {
    description: [
      "Finds the editor of the folder as an agent does, sends it the messages of the recorded agent, and compares its handshake, tools and answers with the recorded ones, as idewire trace compare does. Use it to compare a changed editor with an earlier session.",
      "Only read-only requests are sent: lists, diagnostics, selections, documents. The others are listed. --all sends those too: then the editor shows diffs, which idewire never answers. Paths of the recorded workspace become those of the folder.",
    ],
    exits: [
      [ExitCode.Ok, "the editor answered as recorded"],
      [ExitCode.Failed, "it answered differently"],
      [ExitCode.Usage, "the command line was wrong, or the trace cannot be read"],
      [ExitCode.NoEditor, "there is no editor, or it cannot be reached"],
      ...signals,
    ],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock"],
    examples: [
      ["idewire trace replay day.jsonl", "the editor of this folder"],
      ["idewire trace replay day.jsonl ~/notes --port 41234", "one of several"],
      ["idewire trace replay day.jsonl --json | jq .messages", "for programs"],
    ],
  });
  return command.action(async (trace: string, folder: string, flags: ReplayFlags) => {
    if (flags.port !== undefined && flags.lock !== undefined) {
      command.error("error: --port and --lock each name an editor: give one of them");
    }
    onExit(await replayTrace(trace, { ...flags, cwd: resolve(io.cwd, folder) }, io));
  });
}

function timeoutOption(): Option {
  const option = new Option("--timeout <seconds>", "how long each answer may take");
  return option.default(undefined, "10").argParser((text: string) => {
    const seconds = Number(text);
    if (seconds > 0 && seconds <= 3_600) return seconds;
    throw new InvalidArgumentError("It is a number of seconds from 1 to 3600.");
  });
}
