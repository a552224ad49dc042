import { resolve } from "node:path";
import { type ShareLevel, shareLevels } from "@idewire/core";
import { Command, InvalidArgumentError, Option } from "commander";
import type { CliIo } from "./io.ts";
import { type ServeOptions, serve } from "./serve.ts";

/** What commander gives. */
interface Flags {
  readonly name?: string;
  readonly share: ShareLevel;
  readonly host?: string;
  readonly port?: number;
  readonly allowHost?: readonly string[];
  readonly json?: true;
  readonly script?: true;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

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
    .argument("[folder]", "the folder to serve", ".")
    .option("--name <name>", "what agents call the editor", parseName)
    .addOption(
      new Option("--share <level>", "how much of the editor's state agents get")
        .choices(shareLevels)
        .default("selection"),
    )
    .option("--host <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "the port to listen on (default: any free one)", parsePort)
    .option("--allow-host <name>", "a name clients may call us by; may be repeated", collect)
    .option("--json", "print events as lines of JSON and read no input")
    .option("--script", "the same, and read commands as lines of JSON from stdin")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES);
  return command.action(async (folder: string, flags: Flags) => {
    checkHost(command, flags, io);
    onExit(await serve(toServeOptions(resolve(io.cwd, folder), flags), io));
  });
}

function toServeOptions(folder: string, flags: Flags): ServeOptions {
  const { json, script, allowHost = [], ...rest } = flags;
  const machine = script ? "script" : "json";
  return { ...rest, allowHost, folder, face: script || json ? machine : "terminal" };
}

/** A port that the network reaches is never opened by accident. */
function checkHost(command: Command, { host, allowHost = [] }: Flags, io: CliIo): void {
  if (host === undefined || LOOPBACK.includes(host)) return;
  if (allowHost.length === 0) {
    const why = `error: --host ${host} opens the editor to the network`;
    command.error(`${why}: name what clients call this machine with --allow-host <name>`);
  }
  io.stderr.write(
    `idewire: warning: ${host} can be reached from the network. Whoever has the token of the\n` +
      "lock file sees what you share and can propose changes; nothing is encrypted.\n",
  );
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Expected a number from 1 to 65535, or 0 for any.");
}

function parseName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError("Expected 1 to 100 characters, none of them a control character.");
}

function collect(value: string, others: readonly string[] = []): readonly string[] {
  return [...others, value];
}
