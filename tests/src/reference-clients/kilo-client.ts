import { OpencodeClient, type OpencodeClientOptions } from "./opencode-client.ts";

/**
 * Plays Kilo Code 7.8.1: "is a fork of it and a client of the same dialect: with an unmodified `idewire serve` it
 * connected by `~/.claude/ide` and the selection reached its model in opencode's words"; "It calls itself `opencode`
 * 0.0.0"; "`CLAUDE_CODE_SSE_PORT` or `KILO_EDITOR_SSE_PORT` as in opencode" (other-agents, 4).
 */
export function startKiloCode(
  options: Omit<OpencodeClientOptions, "portVariable">,
): OpencodeClient {
  return OpencodeClient.start({ ...options, portVariable: "KILO_EDITOR_SSE_PORT" });
}
