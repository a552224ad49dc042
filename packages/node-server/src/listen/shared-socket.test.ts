import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { lockOf, SharedSocket } from "./shared-socket.ts";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "idewire-shared-")));
});

afterEach(() => removeFolder(root));

/** The path to which Node resolves a package that is a link in `node_modules`, as pnpm installs it. */
async function resolveLinked(name: string): Promise<string> {
  await mkdir(join(root, "store", name), { recursive: true });
  await mkdir(join(root, "node_modules"), { recursive: true });
  await writeFile(join(root, "store", name, "index.js"), "");
  await symlink(join(root, "store", name), join(root, "node_modules", name));
  return createRequire(join(root, "program.cjs")).resolve(name);
}

/** Waits until the process has checked that its socket still exists. */
async function untilChecked(path: string): Promise<void> {
  const { mtimeMs } = await stat(lockOf(path));
  await expect.poll(async () => (await stat(lockOf(path))).mtimeMs).toBeGreaterThan(mtimeMs);
}

test.each(["close", "abandon"] as const)(
  "linked packages are resolved to their real place while a socket is watched, and after %s",
  async (end) => {
    const path = join(root, "agents.sock");
    const faults: Error[] = [];
    const socket = new SharedSocket({
      place: async () => path,
      onconnection: (connection) => connection.destroy(),
      warn: (error) => faults.push(error),
    });
    await socket.open();
    await untilChecked(path);
    expect(await resolveLinked("watched")).toBe(join(root, "store/watched/index.js"));
    await socket[end]();
    expect(await resolveLinked("later")).toBe(join(root, "store/later/index.js"));
    expect(existsSync(path)).toBe(false);
    expect(faults).toEqual([]);
  },
);
