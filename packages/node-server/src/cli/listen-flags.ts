import { type ShareLevel, shareLevels } from "@idewire/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliIo } from "./io.ts";

/** How an editor is offered to agents, whichever it is; as commander gives it. */
export interface ListenFlags {
  readonly name?: string;
  readonly share: ShareLevel;
  readonly host?: string;
  readonly port?: number;
  readonly allowHost?: readonly string[];
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** Adds the flags of {@link ListenFlags}. */
export function addListenFlags(command: Command): Command {
  return command
    .option("--name <name>", "what agents call the editor", parseName)
    .addOption(
      new Option("--share <level>", "how much of the editor's state agents get")
        .choices(shareLevels)
        .default("selection"),
    )
    .option("--host <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "the port to listen on (default: any free one)", parsePort)
    .option("--allow-host <name>", "a name clients may call us by; may be repeated", collect);
}

/** A port that the network reaches is never opened by accident. */
export function checkListenFlags(
  command: Command,
  { host, allowHost = [] }: ListenFlags,
  io: CliIo,
): void {
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
