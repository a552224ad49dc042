import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pluginArtefacts } from "../obsidian-host/node/artefact.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("without Chromium the other tests run, the missing tier is named, and npm test fails", () => {
  const env = { ...process.env, CHROME_PATH: "/nowhere/chromium", IDEWIRE_AS_BUILT: "1" };
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["scripts/run.mjs", "test", "--project=core", "posix-path"],
    { cwd: root, encoding: "utf8", env },
  );
  expect(stdout).toMatch(/\d+ passed/);
  expect(stderr).toContain("NOT TESTED, without Chromium: plugin, playground.");
  expect(stderr).toContain("apt-get install");
  expect(status).toBe(1);
});

test("without Redis test:all names the tests that it has not run, and fails", () => {
  const env = { ...process.env, REDIS_SERVER_PATH: "/nowhere/redis-server", IDEWIRE_AS_BUILT: "1" };
  const { status, stderr } = spawnSync(
    process.execPath,
    ["scripts/run.mjs", "test:all", "--project=core", "posix-path"],
    { cwd: root, encoding: "utf8", env },
  );
  expect(stderr).toContain("NOT TESTED, without Redis: instances.");
  expect(stderr).toContain("apt-get install -y --no-install-recommends redis-server");
  expect(status).toBe(1);
});

test("a missing build of the plugin is reported, with the command that builds it", () => {
  const folder = temporaryFolder("idewire-not-built-");
  expect(() => pluginArtefacts(folder)).toThrow(
    /dist\/main\.js.* not built: run `.*turbo run build --filter=@idewire\/obsidian-plugin`/,
  );
});
