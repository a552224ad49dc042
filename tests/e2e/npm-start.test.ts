import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Process groups are POSIX's.
test.skipIf(process.platform === "win32")(
  "a SIGTERM to `npm start` leaves no process and no lock file behind",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "idewire-npm-start-"));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const npm = spawn("npm", ["start", "--", "--json"], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: "ignore",
      detached: true,
    });
    const group = npm.pid ?? Number.NaN;
    onTestFinished(() => {
      if (isAlive(-group)) process.kill(-group, "SIGKILL");
    });

    const locks = join(home, ".claude/ide");
    const [lock] = await vi.waitUntil(() => lockFiles(locks), { timeout: 20_000 });
    const { pid } = JSON.parse(await readFile(join(locks, lock), "utf8")) as { pid: number };
    expect(isAlive(pid)).toBe(true);

    npm.kill("SIGTERM");

    await vi.waitUntil(() => !isAlive(-group), { timeout: 10_000 });
    expect(isAlive(pid)).toBe(false);
    expect(await readdir(locks)).toEqual([]);
  },
  40_000,
);

async function lockFiles(folder: string): Promise<[string] | undefined> {
  const names = await readdir(folder).catch(() => []);
  const lock = names.find((name) => name.endsWith(".lock"));
  return lock === undefined ? undefined : [lock];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
