import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepAside } from "./keep-aside.ts";

test("each unreadable state of the settings is kept once, to the byte", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idewire-settings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
