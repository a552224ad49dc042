import type { SessionState } from "@idewire/core/internal";
import { expect, test } from "vitest";
import { mergeState } from "./merge-state.ts";

function state(
  settings: SessionState["settings"],
  more: Partial<Pick<SessionState, "initialized">> = {},
): SessionState {
  return {
    revision: "2025-11-25",
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: {},
    initialized: false,
    settings,
    ...more,
  };
}

test("concurrent requests each preserve their own changes, whichever is stored first", () => {
  const before = state({ subscriptions: ["a", "b"] });
  const one = state({ subscriptions: ["b", "c"] }, { initialized: true });
  const two = state({ subscriptions: ["a", "b", "d"], logLevel: "error" });
  const merged = [mergeState(before, one, two), mergeState(before, two, one)];
  for (const { initialized, settings } of merged) {
    const { subscriptions = [], logLevel } = settings;
    expect([initialized, logLevel, [...subscriptions].sort()]).toEqual([
      true,
      "error",
      ["b", "c", "d"],
    ]);
  }
});

test("the later of two changes to one value wins, and unchanged values remain", () => {
  const before = state({ logLevel: "info", subscriptions: ["a"] });
  const mine = state({ logLevel: "debug", subscriptions: ["a"] });
  const theirs = state({ logLevel: "error", subscriptions: [] });
  expect(mergeState(before, mine, theirs).settings).toEqual({ logLevel: "debug" });
  expect(mergeState(before, before, theirs)).toEqual(state({ logLevel: "error" }));
});
