import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { IdewireError } from "@idewire/core/rpc";
import type { ScenarioReport } from "@idewire/devtools/scenario";
import { type AgentProcess, startAgent } from "../../process/agent-process.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { createStop, type Stop } from "../../process/stop.ts";
import { formatScenarioJunit } from "./junit.ts";
import { createLogger } from "./logger.ts";
import { createRecord } from "./record.ts";
import { type SimulatedIde, simulateIde } from "./simulate-ide.ts";
import type { RunSimulationOptions } from "./simulation-options.ts";

const EXIT_CODES: Readonly<Record<Exclude<ScenarioReport["outcome"], "stopped">, number>> = {
  met: ExitCode.Ok,
  unmet: ExitCode.Failed,
  fault: ExitCode.Usage,
  "no-agent": ExitCode.NoAgent,
};

/**
 * Plays a scenario for the command line; resolves to the exit code.
 * @throws Error when it cannot be set up
 */
export async function runSimulation(options: RunSimulationOptions, io: CliIo): Promise<number> {
  const { scenario, base, flags } = options;
  const stop = createStop(io);
  const emit = createLogger(options, io);
  const record = createRecord(flags.record && resolve(io.cwd, flags.record), scenario.header);
  try {
    const ide = await simulateIde({
      script: scenario,
      base,
      onstep: emit.step,
      ontrace: record.add,
    });
    try {
      emit.begin(ide);
      const report = await playWithAgent(ide, { options, stop, io });
      emit.end(report);
      if (flags.junit !== undefined) {
        await writeFile(resolve(io.cwd, flags.junit), formatScenarioJunit(report));
      }
      return report.outcome === "stopped" ? await stop.requested : EXIT_CODES[report.outcome];
    } finally {
      await ide.close();
    }
  } finally {
    await record.close();
    stop.close();
    io.stdin.destroy();
  }
}

interface SimulationRun {
  readonly options: RunSimulationOptions;
  readonly stop: Stop;
  readonly io: CliIo;
}

/** The agent is terminated in any case. */
async function playWithAgent(
  ide: SimulatedIde,
  { options, stop, io }: SimulationRun,
): Promise<ScenarioReport> {
  const agent = startCommand(ide, options, io);
  // The editor closes first: that ends the play, and completes the report.
  void stop.requested.then(() => ide.close());
  try {
    const report = ide.report;
    if (agent === undefined) return await report;
    return await Promise.race([report, failOfAgent(ide, agent, report)]);
  } finally {
    await agent?.stop();
  }
}

async function failOfAgent(
  ide: SimulatedIde,
  { ended }: AgentProcess,
  report: Promise<ScenarioReport>,
): Promise<ScenarioReport> {
  const end = await ended;
  if ("fault" in end) throw new IdewireError("invalid-argument", end.fault);
  ide.agentExited(end.code);
  return report;
}

function startCommand(
  ide: SimulatedIde,
  { command, flags }: RunSimulationOptions,
  io: CliIo,
): AgentProcess | undefined {
  if (command.length === 0) return undefined;
  const { CLAUDE_CONFIG_DIR, CLAUDE_CODE_SSE_PORT } = ide.env;
  const led = flags.keepHome ? { CLAUDE_CONFIG_DIR, CLAUDE_CODE_SSE_PORT } : ide.env;
  const ownsTerminal = io.stdin === process.stdin && io.stdin.isTTY === true && !flags.json;
  return startAgent(command, { cwd: ide.folder, env: { ...io.env, ...led }, ownsTerminal }, io);
}
