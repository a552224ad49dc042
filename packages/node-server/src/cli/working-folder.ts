import { resolve } from "node:path";
import { Option } from "commander";
import type { CliIo } from "./io.ts";

/** `--cwd <folder>`, as all commands that look for an editor have it. */
export function cwdOption(): Option {
  return new Option("--cwd <folder>", "where the agent is (default: this folder)");
}

/** Native and absolute. */
export function workingFolder(io: CliIo, cwd: string | undefined): string {
  return resolve(io.cwd, cwd ?? ".");
}
