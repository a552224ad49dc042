import { expect, test } from "vitest";
import { describeSharing, type SharingFacts } from "./sharing-state.ts";

const shared: SharingFacts = {
  isFailed: false,
  isElsewhere: false,
  agents: ["Claude Code"],
  level: "selection",
  note: "Garden",
  isSelected: true,
  exclusion: undefined,
};

test.each([
  [{}, "shared", "Claude Code", "Claude Code can see the selected text in Garden."],
  [{ level: "path" }, "shared", "Claude Code", "Claude Code can see that Garden is open."],
  [{ isSelected: false }, "shared", "Claude Code", "Claude Code can see that Garden is open."],
  [{ agents: ["A", "B", "C"] }, "shared", "3 agents", "A, B and C can see"],
  [{ note: undefined }, "shared", "Claude Code", "No note is open"],
  [{ agents: [] }, "none", "No agent", "No agent is connected."],
  [{ level: "off" }, "paused", "Paused", "Claude Code can see nothing"],
  [{ level: "off", agents: [] }, "paused", "Paused", "No agent is connected."],
  [{ isFailed: true }, "failed", "Not connected", "cannot connect"],
  [{ isElsewhere: true, agents: [] }, "waiting", "Other window", "this window takes over"],
  [{ exclusion: { kind: "tag", tag: "#x" } }, "hidden", "Not shared", "the tag #x is excluded"],
  [
    { exclusion: { kind: "property" } },
    "hidden",
    "Not shared",
    "its properties contain agent: false",
  ],
] as const)("with %j it is %s", (facts, kind, label, tooltip) => {
  const state = describeSharing({ ...shared, ...facts });
  expect(state).toMatchObject({ kind, label, tooltip: expect.stringContaining(tooltip) });
});
