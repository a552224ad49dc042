import { expect, test } from "vitest";
import { mcpStoreContract } from "../../testing/mcp-store-contract.ts";
import { memoryStore } from "./memory-store.ts";

mcpStoreContract(
  { test, expect },
  {
    name: "in memory",
    make() {
      let nowMs = 1000;
      const store = memoryStore({ now: () => nowMs });
      const pass = async (ms: number) => {
        nowMs += ms;
      };
      return { one: store, two: store, pass };
    },
  },
);
