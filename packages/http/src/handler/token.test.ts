import { expect, test } from "vitest";
import { isSameToken } from "./token.ts";

const token = "a token of 16 by";

test.each<[string, string, boolean]>([
  [token, token, true],
  ["ä token of 15 by", "ä token of 15 by", true],
  ["A token of 16 by", token, false],
  [`${token}x`, token, false],
  [token.slice(1), token, false],
  ["", token, false],
  ["", "", false],
  ["fifteen bytes.. ".trim(), "fifteen bytes.. ".trim(), false],
])("%j against the token %j: %s, and a short token matches nothing", (given, wanted, isSame) => {
  expect(isSameToken(given, wanted)).toBe(isSame);
});
