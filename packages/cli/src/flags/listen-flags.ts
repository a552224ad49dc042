import {
  allDialects,
  claudeCodeSpec,
  type Dialect,
  jetBrains,
  neovim,
  type ShareLevel,
} from "@idewire/core";
import { isLoopbackName, shareLevels } from "@idewire/core/internal";
import type { ListenIdeOptions } from "@idewire/node-server";
import { type Command, InvalidArgumentError, Option } from "commander";
import { complain } from "../output/print.ts";
import type { CliIo } from "../process/io.ts";
import { parsePort } from "./parse-port.ts";
import { type PathMapFlag, pathMapOption, readPathMap } from "./path-map-flag.ts";

/** The state of an editor that agents see, as parsed by commander. */
export interface ShareFlags {
  readonly name?: string;
  readonly share: ShareLevel;
  readonly exclude?: readonly string[];
}

/** How an editor is offered to agents, as parsed by commander. */
export interface ListenFlags extends ShareFlags {
  readonly host?: string;
  readonly port?: number;
  readonly allowHost?: readonly string[];
  readonly pathMap?: readonly PathMapFlag[];
  readonly dialect?: readonly Dialect[];
  readonly collide?: true;
}

/** By the name for `--dialect`. */
const DIALECTS: readonly Dialect[] = [...allDialects, claudeCodeSpec, neovim, jetBrains];

/** Adds the flags of {@link ShareFlags}. */
export function addShareFlags(command: Command): Command {
  return command
    .option("--name <name>", "the editor's name, as agents show it", parseName)
    .addOption(
      new Option("--share <level>", "how much of the editor's state agents may see")
        .choices(shareLevels)
        .default("selection"),
    )
    .option(
      "--exclude <glob>",
      "files that agents may not see, as in .gitignore; may be repeated",
      collect,
    );
}

/** Adds the flags of {@link ListenFlags}. */
export function addListenFlags(command: Command): Command {
  return addShareFlags(command)
    .option("--host <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "the port to listen on (default: any free one)", parsePort)
    .option("--allow-host <name>", "a host name that clients may use; may be repeated", collect)
    .addOption(pathMapOption())
    .addOption(
      new Option(
        "--dialect <name>",
        `the agents to serve (default: ${allDialects.map(({ id }) => id).join(", ")}); may be repeated`,
      )
        .choices(DIALECTS.map(({ id }) => id))
        .argParser(collectDialect),
    )
    .option("--collide", "publish several lock files for the folder; agents then ask which to use");
}

/** For {@link listenIde}. */
export async function toListenOptions(flags: ListenFlags, io: CliIo): Promise<ListenIdeOptions> {
  const {
    share,
    exclude = [],
    host: address,
    port,
    allowHost = [],
    dialect: dialects = allDialects,
    collide,
  } = flags;
  return {
    share: { level: share },
    exclude,
    allowedHosts: allowHost,
    env: io.env,
    pathMap: await readPathMap(flags.pathMap, io, "host"),
    collide: collide === true,
    dialects,
    onerror: (error) => complain(io, error.stack ?? error.message),
    ...(address !== undefined && { address }),
    ...(port !== undefined && { port }),
  };
}

function collectDialect(name: string, others: readonly Dialect[] = []): readonly Dialect[] {
  const dialect = DIALECTS.find(({ id }) => id === name);
  if (dialect !== undefined) return others.includes(dialect) ? others : [...others, dialect];
  const names = DIALECTS.map(({ id }) => id).join(", ");
  throw new InvalidArgumentError(`Expected one of ${names}.`);
}

/** A port that is reachable from the network must not be opened by accident. */
export function checkListenFlags(
  command: Command,
  { host, allowHost = [] }: ListenFlags,
  io: CliIo,
): void {
  if (host === undefined || isLoopbackName(host)) return;
  if (allowHost.length === 0) {
    const why = `error: --host ${host} opens the editor to the network`;
    command.error(`${why}: name what clients call this machine with --allow-host <name>`);
  }
  complain(
    io,
    `warning: ${host} is reachable from the network. Anybody with the token of the\n` +
      "lock file can see what you share and propose changes; nothing is encrypted.",
  );
}

function parseName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError("Expected 1 to 100 characters, none of them a control character.");
}

function collect(value: string, others: readonly string[] = []): readonly string[] {
  return [...others, value];
}
