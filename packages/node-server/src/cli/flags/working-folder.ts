import { resolve } from "node:path";
import { Option } from "commander";
import type { EnvironmentName } from "../help/facts.ts";
import type { CliIo } from "../process/io.ts";

/** `--cwd <folder>`, as all commands that look for an editor have it. */
export function cwdOption(): Option {
  return new Option("--cwd <folder>", "where the agent is (default: this folder)");
}

/** Native and absolute. */
export function workingFolder(io: CliIo, cwd: string | undefined): string {
  return resolve(io.cwd, cwd ?? ".");
}

/** What every command reads that looks for an editor as an agent does. */
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
