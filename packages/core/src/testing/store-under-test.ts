import type { McpStore } from "../mcp/server/store.ts";
import type { Contract } from "./contract-runner.ts";

/** A store, as seen by two instances of a server. */
export interface StoreUnderTest {
  readonly one: McpStore;
  readonly two: McpStore;
  /** Resolves when this much time has passed for the store. */
  readonly pass: (ms: number) => Promise<void>;
  dispose?(): unknown;
}

export type StoreContract = Contract<StoreUnderTest>;

/** A time that ends within a test, and one that does not. */
export const SHORT_MS = 1000;
export const LONG_MS = 600_000;

/** Ids with a special meaning in some stores. */
export const hardIds: readonly string[] = ["__proto__", "a:b", "* ? \n", "ключ"];
