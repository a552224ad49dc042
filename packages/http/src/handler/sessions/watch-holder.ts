import type { RequestId, StreamInfo } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { McpStore } from "@idewire/core/server";
import { unref } from "../timers.ts";

/**
 * How often the answering instance is checked, and after how many failed checks it counts as gone: if the store
 * has lost its data, all live instances renew within that time.
 */
const LOOK_MS = 1000;
const MAX_MISSES = 3;
const LOST_TTL_MS = 300_000;

/**
 * Ends a stream on behalf of the instance that appends to it, once that is gone.
 * @returns ends the watch
 */
export function watchHolder(
  { events, leases }: Pick<McpStore, "events" | "leases">,
  key: string,
  { holder, ids }: StreamInfo,
): () => void {
  if (holder === undefined) return () => undefined;
  let misses = 0;
  const look = async () => {
    misses = (await leases.isHeld(holder)) ? 0 : misses + 1;
    if (misses < MAX_MISSES) return;
    await events.append(key, { frame: lostAnswer(ids), ends: true }, LOST_TTL_MS);
  };
  const looking = setInterval(() => {
    look().catch(() => {
      misses = 0;
    });
  }, LOOK_MS);
  unref(looking);
  return () => clearInterval(looking);
}

/** The answer to requests that will never be answered; empty if there are none. */
function lostAnswer(ids: readonly RequestId[]): string {
  const message = "The process that ran the request has ended; it may have run in part";
  const error = { code: RpcErrorCode.InternalError, message };
  const answers = ids.map((id) => ({ jsonrpc: "2.0", id, error }));
  return answers.length === 0 ? "" : JSON.stringify(answers.length === 1 ? answers[0] : answers);
}
