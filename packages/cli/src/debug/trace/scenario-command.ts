import { Command } from "commander";
import { describe } from "../../help/manual.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { type ScenarioFlags, writeScenario } from "./write-scenario.ts";

/** `idewire trace scenario`; `onExit` gets the exit code. */
export function createScenarioCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("scenario")
    .argument("<trace-file>", "a trace, as inspect --record writes it")
    .option("-o, --output <file>", "write it to a new file (default: stdout)")
    .option("--folder <folder>", "the workspace, as the trace names it")
    .option("--name <text>", "the title of the scenario");
  return describe(command, {
    description: [
      "The person's acts become actions: selections, mentions, diagnostics, answers to diffs. The agent's messages become expectations, in the same order, and at the end no other call is allowed. Files have the texts that the trace shows; paths are relative to the deepest common folder. Only pauses that matter become waits, and a slow agent is allowed twice its recorded time.",
      "Tokens, home directories and names are removed, as from every saved trace. Events that a scenario cannot express are listed on stderr, with the line of the trace and the reason.",
    ],
    exits: [
      [ExitCode.Ok, "the scenario was written"],
      [ExitCode.Failed, "the trace cannot be read or played, or the file cannot be written"],
      usage,
    ],
    examples: [
      ["idewire trace scenario day.jsonl -o day.scenario.jsonl", "then review it"],
      ["idewire simulate day.scenario.jsonl -- my-agent --ide", "plays it, in a build"],
    ],
  }).action(async (shown: string, flags: ScenarioFlags) => {
    onExit(await writeScenario(shown, flags, io));
  });
}
