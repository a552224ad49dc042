import type { IdeServer, IdeSession } from "@idewire/core";
import { CloseCode } from "@idewire/core/rpc";
import type { MemoryBudget, MemoryHolder } from "../loopback-server/memory-budget.ts";

/** The proposals of a session's agent: it does not wait for them, so they belong to no open request. */
class ProposedDiffs implements MemoryHolder {
  readonly #session: IdeSession;

  constructor(session: IdeSession) {
    this.#session = session;
  }

  get heldBytes(): number {
    return this.#session.diffs.heldUnits;
  }

  evict(reason: string): void {
    this.#session.close(CloseCode.PolicyViolation, reason);
  }
}

/** Counts the pending diffs of each session, until it ends. */
export function countDiffs({ events }: IdeServer, budget: MemoryBudget): void {
  const holders = new Map<IdeSession, MemoryHolder>();
  events.on("connected", (session) => {
    const holder = new ProposedDiffs(session);
    holders.set(session, holder);
    budget.add(holder);
  });
  events.on("call", (session) => {
    const holder = holders.get(session);
    // The tool has proposed the diff by then.
    if (holder !== undefined) setImmediate(() => budget.update(holder));
  });
  events.on("disconnected", (session) => {
    const holder = holders.get(session);
    if (holder !== undefined) budget.delete(holder);
    holders.delete(session);
  });
}
