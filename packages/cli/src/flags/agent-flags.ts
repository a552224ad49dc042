import { resolve } from "node:path";
import { allDialects, type Dialect, type PathMap } from "@idewire/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { EnvironmentName } from "../help/facts.ts";
import type { CliIo } from "../process/io.ts";
import { programOf } from "../process/is-on-path.ts";
import { type PathMapFlag, pathMapOption, readPathMap } from "./path-map-flag.ts";

/** The flags of commands that look for an editor as an agent does, as parsed by commander. */
export interface AgentFlags {
  readonly cwd?: string;
  readonly json?: true;
  readonly pathMap?: readonly PathMapFlag[];
}

/** The dialects that a command can use to connect: those with discovery files. */
const families: ReadonlyMap<string, Dialect> = new Map(
  allDialects
    .filter(({ endpoint: { discovery } }) => discovery !== undefined)
    .map((dialect) => [programOf(dialect.agent?.start ?? "claude"), dialect]),
);

/** `--agent <name>`: the agent to connect as. */
export function familyOption(): Option {
  const names = [...families.keys()];
  return new Option("--agent <name>", "connect as this agent does (default: claude)")
    .choices(names)
    .argParser((name: string) => {
      const dialect = families.get(name);
      if (dialect !== undefined) return dialect;
      throw new InvalidArgumentError(`Expected one of ${names.join(", ")}.`);
    });
}

/** Adds the flags of {@link AgentFlags}; `json` describes the output of `--json`. */
export function addAgentFlags(command: Command, json: string): Command {
  return command.addOption(cwdOption()).addOption(pathMapOption()).option("--json", json);
}

/**
 * Where to look for an editor, by the flags.
 * @throws IdewireError `invalid-argument`
 */
export async function readAgentFlags(
  { cwd, pathMap }: AgentFlags,
  io: CliIo,
): Promise<{
  readonly cwd: string;
  readonly env: CliIo["env"];
  readonly pathMap: PathMap | undefined;
}> {
  return {
    cwd: workingFolder(io, cwd),
    env: io.env,
    pathMap: await readPathMap(pathMap, io, "agent"),
  };
}

/** `--cwd <folder>` of all commands that look for an editor. */
export function cwdOption(): Option {
  return new Option("--cwd <folder>", "where the agent is (default: this folder)");
}

/** Native and absolute. */
export function workingFolder(io: CliIo, cwd: string | undefined): string {
  return resolve(io.cwd, cwd ?? ".");
}

/** The variables read by all commands that look for an editor as an agent does. */
export const AGENT_VARIABLES: readonly EnvironmentName[] = [
  "HOME",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_IDE_HOST_OVERRIDE",
  "CLAUDE_CODE_IDE_SKIP_VALID_CHECK",
  "WSL_DISTRO_NAME",
  "NO_COLOR",
  "FORCE_COLOR",
];
