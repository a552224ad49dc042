import { dirname, resolve } from "node:path";
import type { Range } from "@idewire/core";
import { describeUnable, locateCommand, messageOf } from "@idewire/core/internal/base";
import { Command } from "commander";
import type { CreateCommand } from "../commands.ts";
import { describe } from "../help/manual.ts";
import { complain } from "../output/print.ts";
import { ExitCode, type ExitMeaning, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { parsePlace, type TypedPosition } from "../serve/terminal/prompt/place.ts";
import { readWords, type TypedVerb } from "../serve/terminal/prompt/words.ts";
import { type ComposeCommand, sendControl } from "./control-client.ts";

interface KeyCommandFlags {
  readonly cwd?: string;
  readonly text?: string;
  readonly matcher?: string;
  readonly clear?: true;
  readonly allowEmpty?: true;
}

/** The typed arguments and their environment. */
interface Typed {
  readonly argument: string;
  readonly flags: KeyCommandFlags;
  readonly io: CliIo;
  /** The base of relative paths. */
  readonly cwd: string;
}

/** The request. */
interface Asked {
  /** Absolute: the file whose editor is needed. */
  readonly path?: string;
  readonly compose: ComposeCommand;
}

export type KeyCommandName = "open" | "select" | "mention" | "clear" | "diagnose";

interface KeyCommand {
  readonly name: KeyCommandName;
  /** The arguments for commander. */
  readonly argument?: readonly [name: string, description: string];
  readonly example: string;
  /** @throws Error with a message for the person */
  readonly read: (typed: Typed) => Asked | Promise<Asked>;
}

const commands: readonly KeyCommand[] = [
  {
    name: "open",
    argument: ["<file>", "the file"],
    example: "idewire open notes/plan.md",
    read: (typed) => readTyped("open", typed),
  },
  {
    name: "select",
    argument: ["<place>", "file:10, file:10-20 or file:10:5-12:8, counted from 1"],
    example: "idewire select notes/plan.md:10-20",
    read: readSelect,
  },
  {
    name: "mention",
    argument: ["<place>", "file or file:10-20, counted from 1"],
    example: "idewire mention notes/plan.md:10-20",
    read: (typed) => readTyped("mention", typed),
  },
  {
    name: "clear",
    example: "idewire clear",
    read: (typed) => readTyped("clear", typed),
  },
  {
    name: "diagnose",
    example: "make 2>&1 | idewire diagnose --allow-empty",
    async read({ io, cwd, flags: { clear, matcher, allowEmpty = false } }) {
      if (clear) return { compose: () => ({ do: "setDiagnostics", files: [] }) };
      const { findMatchers } = await import("../flags/provider-flags.ts");
      const { readProblems } = await import("./problem-reader.ts");
      const matchers = matcher === undefined ? undefined : await findMatchers(matcher, io.cwd);
      const files = await readProblems(io.stdin, { cwd, matchers, allowEmpty });
      return { compose: () => ({ do: "setDiagnostics", files }) };
    },
  },
];

/** Shared with the terminal of `idewire serve`, where files are relative to the folder. */
function readTyped(verb: TypedVerb, { argument, cwd }: Typed): Asked {
  const { file, compose } = readWords(verb, argument);
  const locate = (path: string) => resolve(cwd, path);
  return {
    ...(file !== "" && { path: locate(file) }),
    async compose(find) {
      const command = await compose((path, start, end) => find(locate(path), start, end));
      return locateCommand(command, locate);
    },
  };
}

async function readSelect(typed: Typed): Promise<Asked> {
  const { argument, flags, io, cwd } = typed;
  const asked = readTyped("select", typed);
  const given = flags.text === "-" ? await readAll(io) : flags.text;
  const { file, start, end } = parsePlace(argument);
  if (given === undefined || start === undefined || end === undefined) return asked;
  const path = resolve(cwd, file);
  const text = end.column === undefined ? given.replace(/\r?\n$/, "") : given;
  return { path, compose: () => ({ do: "select", path, range: rangeOf(text, start, end), text }) };
}

/** Finds a text that starts at one place and should end in the line of another. */
function rangeOf(text: string, start: TypedPosition, end: TypedPosition): Range {
  const lines = text.split("\n");
  const named = end.line - start.line + 1;
  if (lines.length !== named) {
    throw new Error(`the text has ${lines.length} lines, the range has ${named}`);
  }
  const first = (start.column ?? 1) - 1;
  const length = lines.at(-1)?.length ?? 0;
  return {
    start: { line: start.line - 1, character: first },
    end: { line: end.line - 1, character: named === 1 ? first + length : length },
  };
}

const exits: readonly ExitMeaning[] = [
  [ExitCode.Ok, "the editor ran the command"],
  [ExitCode.Failed, "no editor serves the folder, or it refuses"],
  usage,
];

/** `idewire open`, `select`, `mention`, `clear` or `diagnose`, for key bindings. */
export function controlCommand(name: KeyCommandName): CreateCommand {
  const definition = commands.find((command) => command.name === name);
  if (definition === undefined) throw new TypeError(`no command ${name}`);
  return (io, onExit) => createCommand(definition, io, onExit);
}

function createCommand(definition: KeyCommand, io: CliIo, onExit: (code: number) => void): Command {
  const { name, argument, example } = definition;
  const command = new Command(name);
  if (argument !== undefined) command.argument(...argument);
  if (name === "select") command.option("--text <text>", "of a file not saved; - reads stdin");
  if (name === "diagnose") addDiagnoseOptions(command);
  command.option("--cwd <folder>", "look for the editor of this folder instead of the file's");
  describe(command, {
    description: [
      "Sends the command to the idewire serve or idewire host of the file's folder, or of the nearest folder above it. Prints nothing, or one line on an error, and about agents that cannot be sent a mention.",
    ],
    exits,
    environment: ["HOME", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [[example, "from a key binding"]],
  });
  return command.action(async (...given: readonly unknown[]) => {
    const [typedArgument, flags] = argument === undefined ? ["", given[0]] : given;
    onExit(await run(definition, String(typedArgument), flags as KeyCommandFlags, io));
  });
}

function addDiagnoseOptions(command: Command): void {
  command
    .option("--matcher <name|file>", "how to read the input, as with idewire serve --lint")
    .option("--allow-empty", "input without problems clears them; otherwise it is an error")
    .option("--clear", "clear all problems; stdin is not read");
}

async function run(
  { name, read }: KeyCommand,
  argument: string,
  flags: KeyCommandFlags,
  io: CliIo,
): Promise<number> {
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  let isRead = false;
  try {
    const { path, compose } = await read({ argument, flags, io, cwd });
    isRead = true;
    const isNearer = path !== undefined && flags.cwd === undefined;
    const delivery = await sendControl(io.env, isNearer ? [dirname(path), cwd] : [cwd], compose);
    const unable = delivery && describeUnable(delivery);
    if (unable !== undefined) complain(io, unable, `idewire ${name}`);
    return ExitCode.Ok;
  } catch (error) {
    complain(io, messageOf(error), `idewire ${name}`);
    return isRead || name === "diagnose" ? ExitCode.Failed : ExitCode.Usage;
  }
}

async function readAll({ stdin }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer | string));
  return Buffer.concat(chunks).toString("utf8");
}
