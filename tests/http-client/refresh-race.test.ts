import { expect, test } from "vitest";
import { raceRefreshes } from "../src/refresh-race.ts";

test("8 processes with one store refresh once for each expiry, and lose no call", async () => {
  expect(await raceRefreshes(8, 10)).toEqual({ refreshes: 10, logins: 1, failures: [] });
});

test("processes that share tokens bound to a key refresh them once, by that key", async () => {
  expect(await raceRefreshes(2, 3, true)).toEqual({ refreshes: 3, logins: 1, failures: [] });
});
