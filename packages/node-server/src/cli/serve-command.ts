import { resolve } from "node:path";
import { Command } from "commander";
import type { CliIo } from "./io.ts";
import { addListenFlags, checkListenFlags, type ListenFlags } from "./listen-flags.ts";
import { type ServeOptions, serve } from "./serve.ts";

/** What commander gives. */
interface Flags extends ListenFlags {
  readonly json?: true;
  readonly script?: true;
}

const EXAMPLES = `
Examples:
  $ idewire serve                        then, elsewhere: claude --ide
  $ idewire serve notes --share path     agents learn the active file, no more
  $ idewire serve --json                 what agents do, as lines of JSON
  $ idewire serve --script < day.ndjson  a program plays the person

Agents find the folder by a lock file in ~/.claude/ide, or in
$CLAUDE_CONFIG_DIR/ide. Claude Code and opencode connect from the folder or
from below it.
`;

/** `idewire serve`; `onExit` gets the exit code. */
export function createServeCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("serve")
    .description("Offer a folder to agents as their editor, until Ctrl-C.")
    .argument("[folder]", "the folder to serve", ".");
  addListenFlags(command)
    .option("--json", "print events as lines of JSON and read no input")
    .option("--script", "the same, and read commands as lines of JSON from stdin")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES);
  return command.action(async (folder: string, flags: Flags) => {
    checkListenFlags(command, flags, io);
    onExit(await serve(toServeOptions(resolve(io.cwd, folder), flags), io));
  });
}

function toServeOptions(folder: string, flags: Flags): ServeOptions {
  const { json, script, allowHost = [], ...rest } = flags;
  const machine = script ? "script" : "json";
  return { ...rest, allowHost, folder, face: script || json ? machine : "terminal" };
}
