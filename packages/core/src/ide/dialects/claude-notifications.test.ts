import { expect, test } from "vitest";
import { hasNoDiff, mentionsNeedLines } from "./claude-notifications.ts";

test("opencode alone has no diff, and needs the lines of a mention", () => {
  const names = ["opencode", "claude", "claude-code"];
  expect(names.filter(mentionsNeedLines)).toEqual(["opencode"]);
  expect(names.filter((name) => hasNoDiff({ name, version: "1" }))).toEqual(["opencode"]);
  expect(hasNoDiff(undefined)).toBe(false);
});
