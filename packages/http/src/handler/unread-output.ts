import type { Share, Shares } from "@idewire/core/internal";
import type { Responder } from "./responder.ts";

/** Less is not counted: the number of open requests bounds it. */
const LITTLE_BYTES = 1 << 16;

/**
 * Counts what the client of a response has not read, until the response has closed. Beyond its principal's share the
 * oldest such response is aborted: a client that does not read would not read a refusal either.
 */
export function limitUnread(
  shares: Shares,
  principal: string | undefined,
  responder: Responder,
): void {
  let share: Share | undefined;
  const release = () => share?.release();
  const begin = () => {
    const begun = shares.take(principal, { evict: () => responder.destroy() }, 0);
    if (begun === undefined) return undefined;
    responder.onDrain(() => begun.resize(0));
    responder.onClose(release);
    return begun;
  };
  responder.onWrite(() => {
    const { bufferedAmount } = responder;
    if (bufferedAmount <= LITTLE_BYTES) return;
    share ??= begin();
    if (share === undefined) return;
    // It does not replace itself.
    share.isBusy = true;
    if (!share.resize(bufferedAmount)) responder.destroy();
    share.isBusy = false;
  });
}
