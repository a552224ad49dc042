import type { Readable } from "node:stream";
import { describeValue, isObject, type ParseResult } from "@idewire/core";
import { isScriptVerb, type ScriptCommand, type ScriptVerb, scriptCommands } from "./commands.ts";
import type { WriteEvent } from "./events.ts";
import { type InputLine, readLines } from "./read-lines.ts";
import { runCommand, type ScriptStage } from "./run-command.ts";

/** A longer line of input is thrown away. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Carries out the commands of `input`, one after the other, until one says to stop or the input
 * ends. What is wrong with a command is told, and the next one is read.
 */
export async function readCommands(
  input: Readable,
  stage: ScriptStage & { readonly stopped: AbortSignal },
  write: WriteEvent,
): Promise<"stop" | "end"> {
  try {
    for await (const line of readLines(input, MAX_LINE_BYTES)) {
      if (stage.stopped.aborted) break;
      if ((await runLine(line, stage, write)) === "stop") return "stop";
    }
  } catch (error) {
    // The input is destroyed when we end: that is no error.
    if (!stage.stopped.aborted) write("error", { message: `stdin: ${messageOf(error)}` });
  }
  return "end";
}

async function runLine(
  line: InputLine,
  stage: ScriptStage,
  write: WriteEvent,
): Promise<ScriptVerb | undefined> {
  if ("droppedBytes" in line) {
    const message = `A line of ${line.droppedBytes} bytes was not read: ${MAX_LINE_BYTES} are allowed`;
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
  if (isScriptVerb(verb)) return runVerb(verb, value, stage, write);
  write("unsupported", { do: verb });
  return undefined;
}

async function runVerb(
  verb: ScriptVerb,
  value: object,
  stage: ScriptStage,
  write: WriteEvent,
): Promise<ScriptVerb | undefined> {
  const command: ParseResult<ScriptCommand> = scriptCommands[verb].parse(value);
  if (!command.ok) return refuse(write, command.issue, verb);
  if (verb === "stop") return verb;
  try {
    await runCommand(command.value, stage);
  } catch (error) {
    return refuse(write, messageOf(error), verb);
  }
  write("done", { do: verb });
  return verb;
}

function refuse(write: WriteEvent, message: string, verb?: ScriptVerb): undefined {
  write("error", verb === undefined ? { message } : { do: verb, message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
