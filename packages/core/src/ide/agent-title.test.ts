import { expect, test } from "vitest";
import { agentTitle } from "./agent-title.ts";

test("the title of an agent is its common name, else the name in its clientInfo", () => {
  expect(agentTitle({ name: "claude-code" })).toBe("Claude Code");
  expect(agentTitle({ name: "gemini-cli", title: "Gemini CLI" })).toBe("Gemini CLI");
  // Kilo Code sends this name, too (docs/clients/opencode.md, With idewire).
  expect(agentTitle({ name: "opencode" })).toBe("opencode");
  expect(agentTitle({ name: "constructor", title: "" })).toBe("constructor");
});

test("an agent without a name is titled an agent", () => {
  expect(agentTitle(undefined)).toBe("an agent");
  expect(agentTitle({ name: "" })).toBe("an agent");
});
