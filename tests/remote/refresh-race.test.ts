import { expect, test } from "vitest";
import { raceRefreshes } from "../src/refresh-race.ts";

test("8 processes with one store refresh once for each expiry, and lose no call", async () => {
  expect(await raceRefreshes(8, 10)).toEqual({ refreshes: 10, logins: 1, failures: [] });
});
