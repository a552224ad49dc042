import { isObject, isRequestId } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import { RecordedAnswers } from "@idewire/devtools/internal";
import { Command } from "commander";
import { describe } from "../../help/manual.ts";
import { exactJson } from "../../output/exact-json.ts";
import { createPrinter, openStdio } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, signals, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { runUntilStopped } from "../../process/run-until-stopped.ts";
import { readTrace } from "./read-trace.ts";

/** `idewire trace mock`; `onExit` gets the exit code. */
export function createMockCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("mock").argument(
    "<trace-file>",
    "a trace, as inspect --record writes it, or a HAR file",
  );
  describe(command, {
    description: [
      "Serves MCP on stdin and stdout, for any program that starts MCP servers. A request with the method and the parameters of a recorded one gets its answers, in their order, and the last one again; _meta does not count. Any other request is answered with an error that names what was recorded.",
      "Only answers are repeated: no notifications, and no requests of the server.",
    ],
    exits: [
      [ExitCode.Ok, "the client has disconnected"],
      [ExitCode.Failed, "the trace cannot be read, or has no answers"],
      usage,
      ...signals,
    ],
    examples: [["claude mcp add day -- npx idewire trace mock day.jsonl", "for Claude Code"]],
  });
  return command.action(async (shown: string) => onExit(await mock(shown, io)));
}

function mock(shown: string, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const { fail } = createPrinter(io);
    const trace = await readTrace(shown, io);
    if ("fault" in trace) {
      fail(line`${shown}: ${trace.fault}`);
      return ExitCode.Failed;
    }
    const answers = new RecordedAnswers(trace.events);
    if (answers.count === 0) {
      fail(line`${shown} has no request of an agent that was answered.`);
      return ExitCode.Failed;
    }
    const client = openStdio(io);
    client.onframe = (frame) => reply(frame, answers, client);
    client.onclose = () => stop.request(ExitCode.Ok);
    const code = await stop.requested;
    client.close();
    return code;
  });
}

function reply(frame: string, answers: RecordedAnswers, client: Transport): void {
  let value: unknown;
  try {
    value = exactJson.parse(frame);
  } catch {
    const error = { code: -32700, message: "Parse error" };
    client.send(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    return;
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const replies = messages.filter(isObject).flatMap(({ id, method, params }) => {
    if (typeof method !== "string" || !isRequestId(id)) return [];
    const answer = answers.answer(method, isObject(params) ? params : undefined);
    return [{ jsonrpc: "2.0", id, ...answer }];
  });
  if (replies.length === 0) return;
  client.send(exactJson.stringify(Array.isArray(value) ? replies : replies[0]));
}
