import { IdewireError, RpcError } from "@idewire/core/rpc";
import { type CommandEnd, cannotRun } from "../command/child-command.ts";

/** How a server exited. */
interface RunEnd {
  /** Why the handshake failed; undefined if it succeeded. */
  readonly failure: unknown;
  /** Why the connection closed. */
  readonly reason: string;
  readonly end: CommandEnd;
}

/** Why restarting a server would fail again; undefined if it may succeed. */
export function fatalStartError({ failure, reason, end }: RunEnd): string | undefined {
  if (cannotRun(end)) return `cannot be run (${end.words}): is it installed, and on the PATH?`;
  if (failure instanceof RpcError) return `refuses to start: ${failure.message}`;
  if (failure instanceof IdewireError && failure.code === "timeout") {
    return "did not answer initialize in time; it was terminated";
  }
  if (failure === undefined || !reason.startsWith("its output")) return undefined;
  return `does not speak LSP on its stdout: ${reason}; is a flag such as --stdio missing?`;
}
