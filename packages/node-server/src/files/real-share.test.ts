import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSharePolicy, type EditorHost, type PosixPath } from "@idewire/core";
import { mayShare } from "@idewire/core/internal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { assessRealPaths, RealPaths } from "./real-share.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-share-")));
  for (const name of ["work/sub", "outside"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["work/a", "work/sub/a", "work/.env", "outside/a"]) {
    writeFileSync(join(root, name), "");
  }
  symlinkSync("work", join(root, "alias"));
  symlinkSync("../work/loop-out", join(root, "outside/loop"));
  symlinkSync("../outside/loop", join(root, "work/loop-out"));
  symlinkSync("loop.pem", join(root, "work/loop-key"));
  symlinkSync("loop-key", join(root, "work/loop.pem"));
  const links = { env: ".env", "no-key": "no.pem", out: "../outside/a", "no-out": "../outside/b" };
  for (const [name, target] of Object.entries({
    ...links,
    in: "sub",
    loop: "loop",
    private: "a",
  })) {
    symlinkSync(target, join(root, "work", name));
  }
});

afterEach(() => removeFolder(root));

/** Whether an editor of a folder hides a file from agents, by its defaults and one rule of the person. */
function keeper(folder = "work"): (name: string) => boolean {
  const path = join(root, folder) as PosixPath;
  const host = { workspace: () => ({ folders: [{ path, name: "work" }], trusted: true }) };
  const own = (each: PosixPath) => defaultSharePolicy.isExcluded(each) || each.endsWith("sub/a");
  const share = { ...defaultSharePolicy, isExcluded: own };
  const assessed = {
    ...assessRealPaths(share, host as unknown as EditorHost),
    level: "all",
  } as const;
  return (name) => !mayShare(assessed, "path", join(root, name) as PosixPath);
}

describe("sharing is judged by the real location", () => {
  test.each([
    ["a link to a secret", "work/env"],
    ["a link to a secret that is not there", "work/no-key"],
    ["a link out of the folder", "work/out"],
    ["a link to nothing outside", "work/no-out"],
    ["a folder that is a link to an excluded one", "work/in/a"],
    ["a circle of links that goes through another folder", "work/loop-out"],
    ["a circle of links with an excluded name", "work/loop-key"],
  ])("%s is excluded", (_what, name) => {
    expect(keeper()(name)).toBe(true);
  });

  test.each([
    ["a file", "work/a"],
    ["one that is not there yet", "work/sub/new/b"],
    ["a link to another one", "work/private"],
    ["a link that leads in a circle, like a file that is not there", "work/loop"],
    ["what would be below that", "work/loop/a"],
    ["a file outside that the person looks at under its own name", "outside/a"],
    ["a path that no system opens", `work/${"a/".repeat(5_000)}b`],
  ])("%s is not", (_what, name) => {
    expect(keeper()(name)).toBe(false);
  });

  test("in a folder that is also known by a link", () => {
    const isKept = keeper("alias");
    expect(["alias/a", "work/a", "alias/private"].map(isKept)).toEqual([false, false, false]);
    expect(["alias/env", "alias/out", "alias/in/a"].map(isKept)).toEqual([true, true, true]);
  });

  test("also when a link later replaces a file, or the folder itself", async () => {
    const isKept = keeper();
    expect(isKept("work/a")).toBe(false);
    renameSync(join(root, "work/env"), join(root, "work/a"));
    await expect.poll(() => isKept("work/a")).toBe(true);
    expect(isKept("work/sub")).toBe(false);
    renameSync(join(root, "work"), join(root, "old"));
    symlinkSync("outside", join(root, "work"));
    await expect.poll(() => isKept("work/a")).toBe(true);
  });

  test("a changed target of a path in use is reported, so that the state can be sent again", async () => {
    let changes = 0;
    const paths = new RealPaths(() => {
      changes += 1;
    });
    const path = join(root, "work/a") as PosixPath;
    expect(paths.of(path)).toEqual([path]);
    renameSync(join(root, "work/env"), join(root, "work/a"));
    await expect.poll(() => paths.of(path)).toEqual([join(root, "work/.env")]);
    expect(changes).toBe(1);
  });
});
