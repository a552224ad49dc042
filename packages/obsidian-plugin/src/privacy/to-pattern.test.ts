import { expect, test } from "vitest";
import { toPattern } from "./to-pattern.ts";

test("an excluded folder is a pattern from the vault's root, with no special characters", () => {
  expect(["Private", "/a/b/", "x*[1]", "/", ""].flatMap(toPattern)).toEqual([
    "/Private/**",
    "/a/b/**",
    "/x\\*\\[1\\]/**",
  ]);
});
