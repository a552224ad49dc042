import { Command } from "commander";
import { describe, introduce } from "../../help/manual.ts";
import type { CliIo } from "../../process/io.ts";
import { createCompareCommand } from "./compare-command.ts";
import { createMockCommand } from "./mock-command.ts";
import { createReplayCommand } from "./replay-command.ts";
import { createScenarioCommand } from "./scenario-command.ts";
import { createSummaryCommand } from "./summary-command.ts";

const subcommands = [
  ["list connections, and how long answers took", createSummaryCommand],
  ["compare two recorded sessions: handshake, tools, and every message", createCompareCommand],
  [
    "send the agent's side of a recorded session to a live editor, and compare",
    createReplayCommand,
  ],
  ["serve MCP with the recorded answers of a server", createMockCommand],
  ["turn a recorded session into a scenario for idewire simulate", createScenarioCommand],
] as const;

/** `idewire trace`; `onExit` gets the exit code. */
export function createTraceCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("trace");
  for (const [summary, create] of subcommands) {
    command.addCommand(introduce(create(io, onExit), summary));
  }
  return describe(command, {
    description: [
      "A trace is a recording by idewire inspect --record or idewire serve --record, or a HAR file.",
    ],
    examples: [
      ["idewire trace summary day.jsonl", "which tool is slow?"],
      ["idewire trace compare monday.jsonl tuesday.jsonl", "what changed between the two days?"],
    ],
  });
}
