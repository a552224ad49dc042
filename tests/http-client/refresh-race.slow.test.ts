import { expect, test } from "vitest";
import { raceRefreshes } from "../src/refresh-race.ts";

test("8 processes with one store refresh 200 times for 200 expiries, and lose no call", async () => {
  expect(await raceRefreshes(8, 200)).toEqual({ refreshes: 200, logins: 1, failures: [] });
});
