import { expect, test } from "vitest";
import { createToken } from "./create-token.ts";

test("a token is base64url of that many random bytes", () => {
  const tokens = Array.from({ length: 100 }, () => createToken());
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(64);
  for (const token of tokens) expect(token).toMatch(/^[\w-]+$/);
  expect(new Set(tokens).size).toBe(100);
  expect(Buffer.from(createToken(32), "base64url")).toHaveLength(32);
});
