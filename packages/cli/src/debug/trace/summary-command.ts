import { FrameIndex, measureLatencies } from "@idewire/devtools/internal";
import { readSessions, type Trace } from "@idewire/devtools/trace";
import { Command } from "commander";
import { describe } from "../../help/manual.ts";
import { createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { readTrace } from "./read-trace.ts";
import { showSummary, type TraceSummary } from "./show-summary.ts";

interface SummaryFlags {
  readonly json?: true;
}

/** `idewire trace summary`; `onExit` gets the exit code. */
export function createSummaryCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("summary")
    .argument("<trace>", "a trace, as inspect --record writes it, or a HAR file")
    .option("--json", "print one JSON object");
  describe(command, {
    description: [
      "Lists the connections, then for each kind of request how many were answered, failed and are open, and the shortest, median, 95th percentile and longest time from the request to its answer. Requests that a person answers, such as diffs, are listed separately.",
    ],
    exits: [[ExitCode.Ok, "it was printed"], [ExitCode.Failed, "the trace cannot be read"], usage],
    examples: [
      ["idewire trace summary day.jsonl", "which tool is slow?"],
      ["idewire trace summary day.jsonl --json | jq '.latencies[0]'", "for programs"],
    ],
  });
  return command.action(async (shown: string, flags: SummaryFlags) => {
    onExit(await summarise(shown, flags, io));
  });
}

async function summarise(shown: string, { json }: SummaryFlags, io: CliIo): Promise<number> {
  const printer = createPrinter(io);
  const trace = await readTrace(shown, io);
  if ("fault" in trace) {
    printer.fail(line`${shown}: ${trace.fault}`);
    return ExitCode.Failed;
  }
  const summary = toSummary(trace);
  if (json) printer.json(summary);
  else showSummary(shown, summary, printer);
  return ExitCode.Ok;
}

function toSummary({ events }: Trace): TraceSummary {
  const index = new FrameIndex();
  for (const event of events) index.add(event);
  const sessions = readSessions(events).map(({ ch, agent, ide, frames, lists }) => {
    const tools = lists.get("tools")?.size;
    return {
      ...{ connection: ch, frames },
      ...(agent !== undefined && { agent }),
      ...(ide !== undefined && { ide }),
      ...(tools !== undefined && { tools }),
    };
  });
  return {
    frames: index.frames.length,
    ms: (events.at(-1)?.t ?? 0) - (events[0]?.t ?? 0),
    ...{ sessions, latencies: measureLatencies(index.frames) },
  };
}
