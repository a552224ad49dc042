import { expect, test } from "vitest";
import { raceAtRealServer } from "./raced-authorization-server.ts";

test("processes that share tokens of a real authorization server refresh them once for each expiry", async () => {
  const outcome = await raceAtRealServer(3, 5);
  expect(outcome).toEqual({ refreshes: 5, logins: 1, revoked: 0, failures: [] });
});
