import type { CloseReason } from "@idewire/core/rpc";

/** Why a server is no longer connected, as a sentence for the person. */
export function describeClosing({ code, reason }: CloseReason): string {
  if (reason === "") return `The connection closed (code ${code})`;
  // As the transport of a program puts it: "exit code 3", "ended by SIGKILL".
  if (/^exit code \d+$/.test(reason)) return `The server ended with ${reason}`;
  if (/^ended by SIG[A-Z0-9]+$/.test(reason)) return `The server was ${reason}`;
  return `The connection closed: ${reason}`;
}
