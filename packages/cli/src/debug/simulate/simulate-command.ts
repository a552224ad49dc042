import { basename, dirname, resolve } from "node:path";
import { Command } from "commander";
import { describe } from "../../help/manual.ts";
import { complainOf, createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, signals } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { readScenario } from "./read-scenario.ts";
import { runSimulation } from "./run-simulation.ts";
import type { SimulateFlags } from "./simulation-options.ts";

/** `idewire simulate`; `onExit` gets the exit code. */
export function createSimulateCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("simulate")
    .argument("<scenario>", "a file of JSON lines: see docs/reference/scenarios.md")
    .argument("[command...]", "the agent's command, after --")
    .option("--json", "print the report as one JSON object")
    .option("--junit <file>", "write the report as JUnit XML too")
    .option("--record <file>", "record every frame, as a trace of JSON lines")
    .option("--keep-home", "leave HOME as it is for the agent's command");
  return describe(command, {
    description: [
      "A simulated editor listens and publishes its lock file in a temporary home, with a copy of the scenario's workspace. It then performs each line, and waits for the expected actions of the agent. The first step that fails ends the run; it is shown with what was expected, what was seen, and the frames around it.",
      "The agent's command runs in the workspace; HOME, CLAUDE_CONFIG_DIR and CLAUDE_CODE_SSE_PORT lead it to the editor, and its output goes to stderr. Without a command, idewire prints how to connect. Everything is stopped and removed at the end.",
    ],
    exits: [
      [ExitCode.Ok, "all expectations were met"],
      [ExitCode.Failed, "an expectation was not met"],
      [ExitCode.Usage, "the command line or the scenario was wrong"],
      [ExitCode.NoAgent, "no agent connected"],
      ...signals,
    ],
    examples: [
      ["idewire simulate diff.jsonl", "prints how to connect, and waits"],
      ["idewire simulate diff.jsonl -- my-agent --ide", "runs the agent too"],
      ["idewire simulate diff.jsonl --junit diff.xml -- my-agent", "a step of a build"],
    ],
  }).action(async (shown: string, words: readonly string[], flags: SimulateFlags) => {
    onExit(await simulate(shown, words, { flags, io }));
  });
}

async function simulate(
  shown: string,
  command: readonly string[],
  { flags, io }: { readonly flags: SimulateFlags; readonly io: CliIo },
): Promise<number> {
  const { fail } = createPrinter(io);
  const file = resolve(io.cwd, shown);
  const read = await readScenario(file, { shown, hasCommand: command.length > 0 });
  if ("fault" in read) {
    for (const words of read.fault.split("\n")) fail(line`${words}`);
    return ExitCode.Usage;
  }
  try {
    const { scenario } = read;
    const base = dirname(file);
    return await runSimulation({ scenario, base, file: basename(file), command, flags }, io);
  } catch (error) {
    complainOf(io, error);
    return ExitCode.Usage;
  }
}
