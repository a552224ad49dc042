import { describe, expect, test } from "vitest";
import { MemoryBudget, type MemoryHolder } from "./memory-budget.ts";

const MIB = 1 << 20;

class Holder implements MemoryHolder {
  heldBytes = 0;
  reason: string | undefined;
  /** Whether it retains its memory until its socket is closed. */
  readonly clings: boolean;

  constructor(clings = false) {
    this.clings = clings;
  }

  evict(reason: string): void {
    this.reason = reason;
    if (!this.clings) this.heldBytes = 0;
  }
}

function open(count: number, clings = false) {
  const budget = new MemoryBudget({ maxClientBytes: 64 * MIB, maxTotalBytes: 512 * MIB });
  const holders = Array.from({ length: count }, () => new Holder(clings));
  for (const holder of holders) budget.add(holder);
  const hold = (holder: Holder | undefined, bytes: number) => {
    if (holder === undefined) return;
    holder.heldBytes = bytes;
    budget.update(holder);
  };
  return { budget, holders, hold, evicted: () => holders.filter(({ reason }) => reason).length };
}

describe("memory for clients is bounded", () => {
  test("for each: to the byte, without affecting the others", () => {
    const { holders, hold, evicted } = open(3);
    hold(holders[0], 64 * MIB);
    expect(evicted()).toBe(0);
    hold(holders[0], 64 * MIB + 1);
    expect(holders[0]?.reason).toBe("More than 64 MiB are held for this client");
    expect(evicted()).toBe(1);
  });

  test("for all: the largest holders are closed until it suffices", () => {
    const { holders, hold, evicted } = open(20);
    for (const [at, holder] of holders.entries()) hold(holder, (at + 20) * MIB);
    // 20 + … + 33 MiB are 371, and 34 to 39 would be 219 more.
    expect(holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0)).toBeLessThanOrEqual(
      512 * MIB,
    );
    expect(evicted()).toBeGreaterThan(0);
    const largest = Math.max(...holders.map(({ heldBytes }) => heldBytes));
    for (const [at, { reason }] of holders.entries()) {
      if (reason !== undefined) expect((at + 20) * MIB).toBeGreaterThanOrEqual(largest);
      if (reason !== undefined) expect(reason).toMatch(/^More than 512 MiB .* for all clients/);
    }
  });

  test("memory freed meanwhile closes no client", () => {
    const { holders, hold, evicted } = open(20);
    for (const holder of holders.slice(0, 8)) hold(holder, 64 * MIB);
    for (const holder of holders.slice(0, 8)) holder.heldBytes = 0;
    hold(holders[9], 60 * MIB);
    expect(evicted()).toBe(0);
  });

  test("a client that is being closed counts until then, and one that holds little is never closed", () => {
    const { budget, holders, hold, evicted } = open(256, true);
    for (let mib = 1; mib <= 16; mib++) {
      for (const holder of holders.slice(1)) if (!holder.reason) hold(holder, mib * MIB);
    }
    hold(holders[0], MIB / 2);
    expect(holders[0]?.reason).toBe(undefined);
    const held = holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    expect(held).toBeLessThan((512 + 256) * MIB);
    for (const holder of holders) if (holder.reason) budget.delete(holder);
    const before = evicted();
    hold(holders[0], 60 * MIB);
    expect(evicted()).toBe(before);
  });
});
