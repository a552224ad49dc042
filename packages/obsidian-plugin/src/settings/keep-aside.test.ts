import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { keepAside } from "./keep-aside.ts";

test("each unreadable state of the settings is copied once, byte for byte", async () => {
  const folder = temporaryFolder("idewire-settings-");
  const path = join(folder, "data.json");
  expect(await keepAside(path)).toBeUndefined();
  const states = [new Uint8Array([0xff, 0x7b]), new Uint8Array(), new Uint8Array([0xff, 0x7b])];
  const kept: (string | undefined)[] = [];
  for (const state of states) {
    await writeFile(path, state);
    kept.push(await keepAside(path));
  }
  const [first, second] = ["data.unreadable.json", "data.unreadable-2.json"];
  expect(kept).toEqual([first, second, first].map((name) => join(folder, name)));
  expect([...(await readFile(join(folder, first)))]).toEqual([0xff, 0x7b]);
  expect((await readdir(folder)).sort()).toEqual(["data.json", second, first].sort());
});
