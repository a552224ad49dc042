import { expect, test } from "vitest";
import { raceAtRealServer } from "./raced-authorization-server.ts";

test("at a real authorization server, 8 processes refresh 200 times for 200 expiries, and none revokes", async () => {
  const outcome = await raceAtRealServer(8, 200);
  expect(outcome).toEqual({ refreshes: 200, logins: 1, revoked: 0, failures: [] });
});
