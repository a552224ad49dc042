import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeRedactions, type TraceOmission } from "@idewire/devtools/internal";
import { type ScenarioFromTrace, scenarioFromTrace } from "@idewire/devtools/scenario";
import { codeOf } from "@idewire/node-server/internal";
import { exactJson } from "../../output/exact-json.ts";
import { createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { readTrace } from "./read-trace.ts";

/** As parsed by commander. */
export interface ScenarioFlags {
  readonly output?: string;
  readonly folder?: string;
  readonly name?: string;
}

/**
 * Makes a scenario from a trace file; resolves to the exit code.
 * @param shown the file as typed
 */
export async function writeScenario(
  shown: string,
  flags: ScenarioFlags,
  io: CliIo,
): Promise<number> {
  const { fail } = createPrinter(io);
  const made = await makeScenario(shown, flags, io);
  if ("fault" in made) {
    fail(line`${shown}: ${made.fault}`);
    return ExitCode.Failed;
  }
  const fault = await save(made.text, flags.output, io);
  if (fault !== undefined) {
    fail(line`${fault}`);
    return ExitCode.Failed;
  }
  for (const words of summaryLines(made)) fail(line`${words}`);
  return ExitCode.Ok;
}

async function makeScenario(
  shown: string,
  { folder, name }: ScenarioFlags,
  io: CliIo,
): Promise<ScenarioFromTrace | { readonly fault: string }> {
  const trace = await readTrace(shown, io);
  if ("fault" in trace) return trace;
  const home = io.env["HOME"];
  const made = scenarioFromTrace(trace, {
    ...(folder !== undefined && { folder }),
    ...(name !== undefined && { name }),
    redact: home === undefined ? {} : { homes: [home] },
  });
  return made.ok ? made.value : { fault: made.issue };
}

/** An existing file is not overwritten: somebody may have edited it. */
async function save(
  text: string,
  output: string | undefined,
  io: CliIo,
): Promise<string | undefined> {
  if (output === undefined) {
    const { json } = createPrinter(io);
    for (const step of text.trimEnd().split("\n")) json(exactJson.parse(step));
    return undefined;
  }
  try {
    await writeFile(resolve(io.cwd, output), text, { flag: "wx", mode: 0o600 });
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    const why = code === "EEXIST" ? "it exists already" : String(code);
    return `${output} cannot be written: ${why}`;
  }
}

function summaryLines({ scenario, folder, omissions, redactions }: ScenarioFromTrace) {
  const { steps } = scenario;
  return [
    `${steps.length} steps; the workspace was ${folder}`,
    ...describeRedactions(redactions),
    ...(omissions.length === 0 ? [] : ["not in the scenario:", ...omissionLines(omissions)]),
  ];
}

/** One line for each reason, with the lines of the trace. */
function omissionLines(omissions: readonly TraceOmission[]): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { line: at, why } of omissions) lines.set(why, [...(lines.get(why) ?? []), at]);
  return [...lines].map(([why, at]) => {
    return `  line${at.length === 1 ? "" : "s"} ${at.join(", ")}: ${why}`;
  });
}
