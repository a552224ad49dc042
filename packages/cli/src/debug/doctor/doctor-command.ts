import type { DoctorStep } from "@idewire/devtools/internal";
import { Command } from "commander";
import {
  AGENT_VARIABLES,
  type AgentFlags,
  addAgentFlags,
  readAgentFlags,
} from "../../flags/agent-flags.ts";
import { describe } from "../../help/manual.ts";
import type { Palette } from "../../output/palette.ts";
import { createPrinter, type Printer } from "../../output/print.ts";
import { line, type Printable } from "../../output/printable.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { agentRules } from "./agent-rules.ts";
import { examine } from "./examine.ts";
import { formatAdvice } from "./step.ts";

/** `idewire doctor`; `onExit` gets the exit code. */
export function createDoctorCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("doctor");
  describe(addAgentFlags(command, "print one JSON object"), {
    description: [
      "Follows an agent's steps from the working directory to the handshake. The first step that fails is explained, with the remedy.",
      "It connects to the editor briefly, runs claude --version if it is installed, and changes nothing. Each further agent on the PATH has a step of its own: its file or socket, who can use that, a handshake, and what only the agent can turn on.",
    ],
    exits: [[ExitCode.Ok, "no step fails"], [ExitCode.Failed, "a step fails"], usage],
    environment: [...AGENT_VARIABLES],
    files: ["~/.claude/ide/<port>.lock", "~/.claude-code/<port>.json", "~/.local/state/idewire/"],
    examples: [
      ["idewire doctor", "why does the agent not see the editor?"],
      ["idewire doctor --cwd notes", "the same for an agent in notes"],
      ["idewire doctor --json", "for programs: one object"],
    ],
  });
  return command.action(async (flags: AgentFlags) => {
    const from = await readAgentFlags(flags, io);
    const steps = await examine(from);
    const fault = steps.find(({ outcome }) => outcome === "failed");
    const printer = createPrinter(io);
    if (flags.json) printer.json(toJson(from.cwd, steps, fault));
    else show(steps, fault, printer);
    onExit(fault === undefined ? ExitCode.Ok : ExitCode.Failed);
  });
}

function toJson(cwd: string, steps: readonly DoctorStep[], fault: DoctorStep | undefined) {
  const sent = steps.map(({ advice, ...step }) => {
    return { ...step, ...(advice && { advice: advice.map(formatAdvice) }) };
  });
  return { cwd, ok: fault === undefined, fault: fault?.id, steps: sent };
}

const TITLE_WIDTH = 18;

function show(steps: readonly DoctorStep[], fault: DoctorStep | undefined, printer: Printer): void {
  const { print, palette } = printer;
  for (const step of steps) {
    print(line`${sign(step, palette)} ${step.title.padEnd(TITLE_WIDTH)}${step.detail}`);
  }
  for (const step of steps) if (step.outcome === "warning") advise(step, printer);
  if (fault !== undefined) advise(fault, printer);
  else rules(printer);
}

function sign({ outcome }: DoctorStep, palette: Palette): Printable {
  switch (outcome) {
    case "ok":
      return palette.good("✓");
    case "failed":
      return palette.bad("✗");
    case "warning":
      return palette.warning("!");
    default:
      return palette.dim("–");
  }
}

function advise(step: DoctorStep, { print, palette }: Printer): void {
  print(line``);
  print(line`${sign(step, palette)} ${palette.bold(step.title)}: ${step.detail}`);
  for (const advice of step.advice ?? []) print(line`  ${formatAdvice(advice)}`);
}

function rules({ print, palette }: Printer): void {
  print(line``);
  print(line`No step failed. If an agent still does not see the editor:`);
  for (const rule of agentRules) print(palette.dim(line`  ${rule}`));
}
