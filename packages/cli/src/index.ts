// The `idewire` command, for programs that run it in their own process.
import type { Unsubscribe } from "@idewire/core";
import type { NodeReadable, NodeWritable } from "@idewire/node-server";
import type { StopSignal } from "./process/stop-signal.ts";
import { main as run } from "./main.ts";
import type { CliIo } from "./process/io.ts";

export type { NodeReadable, NodeWritable } from "@idewire/node-server";
export type { StopSignal } from "./process/stop-signal.ts";

/** The environment of the command. */
export interface CommandIo {
  readonly stdin: NodeReadable & { readonly isTTY?: boolean };
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The native folder for relative paths of the command line. */
  readonly cwd: string;
  onSignal(listener: (signal: StopSignal) => void): Unsubscribe;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** An output of the command. */
export type CommandOutput = NodeWritable & {
  readonly isTTY?: boolean;
  /** Width and height in characters, of a terminal. */
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * Runs the `idewire` command.
 * @param argv the arguments after the program's name
 * @param io the environment of the command; this process when left out
 * @returns the exit code: 0 after an orderly end, 1 when it could not start, 2 for a wrong command line, 128 +
 * n after signal n
 */
export function main(argv: readonly string[], io?: CommandIo): Promise<number> {
  return run(argv, io as CliIo | undefined);
}
