import { claudeCommand, shellQuote } from "@idewire/core/internal";
import { scenarioDefaults } from "@idewire/devtools/internal";
import type { ScenarioHeader, ScenarioReport, StepResult } from "@idewire/devtools/scenario";
import { createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import type { CliIo } from "../../process/io.ts";
import { endingLines, type ReportLine, stepLine } from "./report-lines.ts";
import type { SimulatedIde } from "./simulate-ide.ts";
import type { RunSimulationOptions } from "./simulation-options.ts";

/** Prints the progress of a simulation. */
export interface Logger {
  begin(ide: SimulatedIde): void;
  readonly step: (result: StepResult) => void;
  end(report: ScenarioReport): void;
}

/** Prints each finished step for people; only the report for programs. */
export function createLogger(
  { scenario, file, command, flags }: RunSimulationOptions,
  io: CliIo,
): Logger {
  const { json, palette, print } = createPrinter(io);
  if (flags.json) {
    const ignore = () => undefined;
    return { begin: ignore, step: ignore, end: (report) => json({ file, ...report }) };
  }
  const styles = {
    good: palette.good,
    bad: palette.bad,
    dim: palette.dim,
    plain: (text: string) => line`${text}`,
    expected: palette.bad,
    seen: palette.good,
  };
  const show = ({ kind, text }: ReportLine) => print(styles[kind](text));
  return {
    begin(ide) {
      print(line`${palette.bold(scenario.header.name)} ${palette.dim(`(${file})`)}`);
      if (command.length > 0) return;
      print(line``);
      for (const words of howToConnect(ide, scenario.header)) print(line`  ${words}`);
      print(line``);
    },
    step: (result) => show(stepLine(result)),
    end(report) {
      for (const each of endingLines(report)) show(each);
    },
  };
}

/** The commands to type in another terminal. */
function howToConnect({ folder, env }: SimulatedIde, header: ScenarioHeader): readonly string[] {
  const { HOME, CLAUDE_CONFIG_DIR, CLAUDE_CODE_SSE_PORT } = env;
  const { connectWithinMs = scenarioDefaults.connectWithinMs, dialect } = header;
  const head = [
    `Start the agent in another terminal, within ${Math.round(connectWithinMs / 1_000)} s:`,
    "",
    `  cd ${shellQuote(folder)}`,
  ];
  if (dialect === "jetbrains") return [...head, `  export HOME=${shellQuote(HOME)}`];
  const port = CLAUDE_CODE_SSE_PORT === undefined ? [] : [CLAUDE_CODE_SSE_PORT];
  return [
    ...head,
    `  export CLAUDE_CONFIG_DIR=${shellQuote(CLAUDE_CONFIG_DIR)}`,
    ...port.map((number) => `  export CLAUDE_CODE_SSE_PORT=${number}`),
    `  ${claudeCommand}        # opencode: HOME=${shellQuote(HOME)} opencode`,
  ];
}
