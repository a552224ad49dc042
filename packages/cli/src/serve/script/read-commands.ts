import type { Readable } from "node:stream";
import { describeValue, isObject, type ParseResult } from "@idewire/core/internal";
import { messageOf } from "@idewire/core/internal/base";
import type { Params } from "@idewire/core/rpc";
import { isScriptVerb, type ScriptCommand, type ScriptVerb, scriptCommands } from "./commands.ts";
import type { WriteEvent } from "./events.ts";
import { type InputLine, readLines } from "./read-lines.ts";
import { runCommand, type ScriptContext } from "./run-command.ts";

/** Longer lines of input are dropped. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Runs the commands of `input`, one after the other, until `stop` or the end of the input. An error is
 * reported, and the next command is read.
 */
export async function readCommands(
  input: Readable,
  context: ScriptContext & { readonly stopped: AbortSignal },
  write: WriteEvent,
): Promise<"stop" | "end"> {
  try {
    for await (const line of readLines(input, MAX_LINE_BYTES)) {
      if (context.stopped.aborted) break;
      if ((await runLine(line, context, write)) === "stop") return "stop";
    }
  } catch (error) {
    // The input is destroyed when the command stops: that is not an error.
    if (!context.stopped.aborted) write("error", { message: `stdin: ${messageOf(error)}` });
  }
  return "end";
}

async function runLine(
  line: InputLine,
  context: ScriptContext,
  write: WriteEvent,
): Promise<ScriptVerb | undefined> {
  if ("droppedBytes" in line) {
    const message = `A line of ${line.droppedBytes} bytes was dropped: at most ${MAX_LINE_BYTES} are allowed`;
    return refuse(write, message);
  }
  const text = line.text.trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(write, `Not JSON: ${describeValue(text)}`);
  }
  if (!isObject(value)) return refuse(write, `Expected an object, got ${describeValue(value)}`);
  const verb = value["do"];
  if (typeof verb !== "string") {
    return refuse(write, `do: expected a string, got ${describeValue(verb)}`);
  }
  return runVerb(verb, value, context, write);
}

async function runVerb(
  verb: string,
  line: Params,
  context: ScriptContext,
  write: WriteEvent,
): Promise<ScriptVerb | undefined> {
  if (!isScriptVerb(verb)) {
    write("unsupported", { do: verb });
    return undefined;
  }
  const command: ParseResult<ScriptCommand> = scriptCommands[verb].parse(line);
  if (!command.ok) return refuse(write, command.issue, verb);
  if (command.value.do === "stop") return "stop";
  try {
    const delivery = await runCommand(command.value, context);
    const { sessions, unable } = delivery ?? {};
    write("done", {
      do: verb,
      ...(sessions !== undefined && { sessions }),
      ...(unable !== undefined && { unable: unable.flatMap(({ session }) => session ?? []) }),
    });
  } catch (error) {
    return refuse(write, messageOf(error), verb);
  }
  return command.value.do;
}

function refuse(write: WriteEvent, message: string, verb?: string): undefined {
  write("error", verb === undefined ? { message } : { do: verb, message });
}
