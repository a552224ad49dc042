import type { McpStore } from "../mcp/server/store.ts";
import type { Contract } from "./contract-runner.ts";

/** A store, as two instances of a server see it. */
export interface StoreUnderTest {
  readonly one: McpStore;
  readonly two: McpStore;
  /** Resolves when the store has seen that much time pass. */
  readonly pass: (ms: number) => Promise<void>;
  dispose?(): unknown;
}

export type StoreContract = Contract<StoreUnderTest>;

/** A time that ends within a test, and one that does not. */
export const SHORT_MS = 1000;
export const LONG_MS = 600_000;

/** Ids that mean something else to some stores. */
export const hardIds: readonly string[] = ["__proto__", "a:b", "* ? \n", "ключ"];
