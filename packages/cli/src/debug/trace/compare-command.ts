import { Command } from "commander";
import { describe } from "../../help/manual.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { type CompareFlags, compareTraces } from "./compare-traces.ts";

/** `idewire trace compare`; `onExit` gets the exit code. */
export function createCompareCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("compare")
    .argument("<trace-a>", "a trace, as inspect --record writes it, or a HAR file")
    .argument("[trace-b]", "the other one; without it, two connections of the first")
    .option("--connection-a <name>", "the connection in the first trace, such as c2")
    .option("--connection-b <name>", "the connection in the other trace")
    .option("--json", "print one JSON object, with each difference");
  describe(command, {
    description: [
      "Compares the negotiated parameters first: revision, capabilities, names, tools with their schemas. Then each message is paired with its counterpart by direction, method, tool and order, and so are the answers; each member that differs is named.",
      "Ids, times, process ids, tokens, pings and progress make no difference, nor does the order in which an agent requests lists, nor the workspace's folder. If a trace has several connections, the first one with a handshake is used.",
    ],
    exits: [
      [ExitCode.Ok, "the sessions are the same"],
      [ExitCode.Failed, "they differ"],
      [ExitCode.Usage, "the command line was wrong, or a trace cannot be read"],
    ],
    examples: [
      ["idewire trace compare monday.jsonl tuesday.jsonl", "what changed between the two days?"],
      ["idewire trace compare claude.jsonl opencode.jsonl", "two agents with one editor"],
      ["idewire trace compare day.jsonl", "its first two connections"],
      ["idewire trace compare a.jsonl b.jsonl --json | jq .lists", "the tools, for programs"],
    ],
  });
  return command.action(async (a: string, b: string | undefined, flags: CompareFlags) => {
    onExit(await compareTraces([a, b], flags, io));
  });
}
