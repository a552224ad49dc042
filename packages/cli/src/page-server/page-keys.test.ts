import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openTickets } from "./page-keys.ts";

const KEY = "k".repeat(43);

test("the keys of pages are valid in the next process, stored as hashes that only their user may read", async () => {
  const home = temporaryFolder("idewire-keys-");
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  const first = await openTickets("/vault", env);
  expect(first.redeem(first.issue(), KEY)).toEqual({ key: KEY });
  const folder = join(home, "state/idewire/pages");
  const files = () => readdirSync(folder).filter((name) => name.endsWith(".json"));
  await expect.poll(() => files().length).toBe(1);
  const file = join(folder, String(files()[0]));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain(KEY);
  expect((await openTickets("/vault", env)).knows(KEY)).toBe(true);
  expect((await openTickets("/other", env)).knows(KEY)).toBe(false);
  chmodSync(file, 0o644);
  expect((await openTickets("/vault", env)).knows(KEY)).toBe(false);
});

test("processes that have pages of one folder at once do not lose each other's keys", async () => {
  const home = temporaryFolder("idewire-keys-");
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  const stores = [await openTickets("/vault", env), await openTickets("/vault", env)];
  const keys = Array.from({ length: 40 }, (_, number) => `${number}`.padStart(43, "k"));
  for (const [number, key] of keys.entries()) stores[number % 2]?.use(key);
  await expect
    .poll(async () => {
      const next = await openTickets("/vault", env);
      return keys.filter((key) => !next.knows(key));
    })
    .toEqual([]);
  const folder = join(home, "state/idewire/pages");
  await expect.poll(() => readdirSync(folder)).toEqual([expect.stringMatching(/\.json$/)]);
});
