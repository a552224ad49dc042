import { CloseCode, type CloseReason } from "@idewire/core/rpc";

/** Why a connection closed, as a sentence for the person, without a full stop. */
export function describeClosing({ code, reason }: CloseReason): string {
  // As the transport of a program puts it: "exit code 3", "ended by SIGKILL".
  if (/^exit code \d+$/.test(reason)) return `The server ended with ${reason}`;
  if (/^ended by SIG[A-Z0-9]+$/.test(reason)) return `The server was ${reason}`;
  if (code === CloseCode.Abnormal && reason === "") return "The connection was lost";
  const why = reason === "" ? "" : `: ${reason}`;
  // Neither end sends this code: it adds nothing to the reason.
  const sent = code === CloseCode.Abnormal ? "" : ` (code ${code})`;
  return `The connection closed${why}${sent}`;
}
