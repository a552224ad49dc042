import { dirname, isAbsolute, resolve } from "node:path";
import { Command } from "commander";
import { ExitCode } from "../exit-status.ts";
import { findMatchers } from "../feed-flags.ts";
import { describe } from "../help/manual.ts";
import type { CliIo } from "../io.ts";
import { complain } from "../print.ts";
import { parsePlace } from "../terminal/place.ts";
import { sendControl } from "./control-client.ts";
import type { ControlCommands, ControlVerb } from "./control-protocol.ts";
import { readProblems } from "./problem-reader.ts";

interface Flags {
  readonly cwd?: string;
  readonly text?: string;
  readonly matcher?: string;
  readonly clear?: true;
  readonly allowEmpty?: true;
}

/** What was typed, and the world around it. */
interface Typed {
  readonly argument: string;
  readonly flags: Flags;
  readonly io: CliIo;
  /** The folder that relative files start from. */
  readonly cwd: string;
}

interface ControlCommand<V extends ControlVerb> {
  readonly verb: V;
  readonly description: string;
  /** What commander is to expect. */
  readonly argument?: readonly [name: string, description: string];
  readonly example: string;
  /** @throws Error in words for the person */
  read(typed: Typed): ControlCommands[V] | Promise<ControlCommands[V]>;
}

const commands: { readonly [V in ControlVerb]: ControlCommand<V> } = {
  open: {
    verb: "open",
    description: "Make a file the active one of the editor that serves its folder.",
    argument: ["<file>", "the file"],
    example: "idewire open notes/plan.md",
    read: ({ argument, cwd }) => ({ path: resolve(cwd, argument) }),
  },
  select: {
    verb: "select",
    description: "Select lines of a file, so that agents know of them.",
    argument: ["<place>", "file:10, file:10-20 or file:10:5-12:8, counted from 1"],
    example: "idewire select notes/plan.md:10-20",
    async read({ argument, flags, io, cwd }) {
      const { file, start, end } = parsePlace(argument);
      if (start === undefined || end === undefined) {
        throw new Error(`which lines of ${file}? For example: idewire select ${file}:10-20`);
      }
      const text = flags.text === "-" ? await readAll(io) : flags.text;
      return { path: resolve(cwd, file), start, end, ...(text !== undefined && { text }) };
    },
  },
  mention: {
    verb: "mention",
    description: "Put a file, or lines of it, into the prompts of the agents.",
    argument: ["<place>", "file or file:10-20, counted from 1"],
    example: "idewire mention notes/plan.md:10-20",
    read({ argument, cwd }) {
      const { file, start, end } = parsePlace(argument);
      const path = resolve(cwd, file);
      return start === undefined || end === undefined ? { path } : { path, start, end };
    },
  },
  clear: {
    verb: "clear",
    description: "Select nothing.",
    example: "idewire clear",
    read: () => ({}),
  },
  diagnose: {
    verb: "diagnose",
    description: "Tell agents what a compiler or linter found, in place of what it found before.",
    example: "make 2>&1 | idewire diagnose --allow-empty",
    async read({ io, cwd, flags }) {
      if (flags.clear) return { files: [] };
      const { matcher, allowEmpty = false } = flags;
      const matchers = matcher === undefined ? undefined : await findMatchers(matcher, io.cwd);
      return readProblems(io.stdin, { cwd, matchers, allowEmpty });
    },
  },
};

/** `idewire open`, `select`, `mention`, `clear` and `diagnose`, for key bindings. */
export function createControlCommands(io: CliIo, onExit: (code: number) => void): Command[] {
  return Object.values(commands).map((command) => createCommand(command, io, onExit));
}

function createCommand<V extends ControlVerb>(
  definition: ControlCommand<V>,
  io: CliIo,
  onExit: (code: number) => void,
): Command {
  const { verb, description, argument, example } = definition;
  const command = new Command(verb).description(description);
  if (argument !== undefined) command.argument(...argument);
  if (verb === "select") command.option("--text <text>", "of a file not saved; - reads stdin");
  if (verb === "diagnose") addDiagnoseOptions(command);
  command.option("--cwd <folder>", "look for the editor of this folder, and not of the file's");
  describe(command, {
    description: [
      "Reaches the idewire serve or idewire host of the file's folder, or of the nearest one above it. It says nothing, or in one line what went wrong.",
    ],
    environment: ["HOME", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [[example, "from a key binding"]],
  });
  return command.action(async (...given: readonly unknown[]) => {
    const [typedArgument, flags] = argument === undefined ? ["", given[0]] : given;
    onExit(await run(definition, String(typedArgument), flags as Flags, io));
  });
}

function addDiagnoseOptions(command: Command): void {
  command
    .option("--matcher <name|file>", "how to read what comes, as with idewire serve --check")
    .option(
      "--allow-empty",
      "where no problem comes nothing is wrong any more; else that is an error",
    )
    .option("--clear", "nothing is wrong any more; stdin is not read");
}

async function run<V extends ControlVerb>(
  { verb, read }: ControlCommand<V>,
  argument: string,
  flags: Flags,
  io: CliIo,
): Promise<number> {
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  let isRead = false;
  try {
    const command = await read({ argument, flags, io, cwd });
    isRead = true;
    const file = "path" in command ? String(command.path) : undefined;
    const isNearer = file !== undefined && flags.cwd === undefined && isAbsolute(file);
    await sendControl(io.env, isNearer ? [dirname(file), cwd] : [cwd], verb, command);
    return ExitCode.Ok;
  } catch (error) {
    complain(io, error instanceof Error ? error.message : String(error), `idewire ${verb}`);
    return isRead || verb === "diagnose" ? ExitCode.Failed : ExitCode.Usage;
  }
}

async function readAll({ stdin }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
