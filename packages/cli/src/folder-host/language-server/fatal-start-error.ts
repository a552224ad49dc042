import { IdewireError, RpcError } from "@idewire/core/rpc";
import { type CommandEnd, cannotRun } from "../command/child-command.ts";

/** How a run of a server ended. */
interface RunEnd {
  /** Why there was no handshake; undefined when there was one. */
  readonly failure: unknown;
  /** Why the connection closed. */
  readonly reason: string;
  readonly end: CommandEnd;
}

/** Why a server would fail again if it were started again; undefined when it may not. */
export function fatalStartError({ failure, reason, end }: RunEnd): string | undefined {
  if (cannotRun(end)) return `cannot be run (${end.words}): is it installed, and on the PATH?`;
  if (failure instanceof RpcError) return `refuses to start: ${failure.message}`;
  if (failure instanceof IdewireError && failure.code === "timeout") {
    return "did not answer initialize in time; it was ended";
  }
  if (failure === undefined || !reason.startsWith("its output")) return undefined;
  return `speaks no LSP on its stdout: ${reason}; is a flag such as --stdio missing?`;
}
