import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "../src/is-alive.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

// Process groups exist only on POSIX.
test.skipIf(process.platform === "win32")(
  "a SIGTERM to `npm start` leaves no process and no lock file behind",
  async () => {
    const config = temporaryFolder("idewire-npm-start-");
    const npm = spawn("npm", ["start", "--", "--json"], {
      cwd: root,
      // A rebuild would remove the command for a while, for other tests as well.
      env: { ...process.env, HOME: config, CLAUDE_CONFIG_DIR: config, IDEWIRE_AS_BUILT: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    const group = npm.pid ?? Number.NaN;
    const ended = once(npm, "close");
    onTestFinished(async () => {
      if (isAlive(-group)) process.kill(-group, "SIGKILL");
      await ended;
    });

    const locks = join(config, "ide");
    const lock = await vi.waitUntil(
      () => {
        if (npm.exitCode !== null) throw new Error(`npm start has ended:\n${output}`);
        return lockFile(locks);
      },
      { timeout: 3 * TIMEOUT_MS },
    );
    const { pid } = JSON.parse(await readFile(join(locks, lock), "utf8")) as { pid: number };
    expect(isAlive(pid)).toBe(true);

    npm.kill("SIGTERM");

    await vi.waitUntil(() => !isAlive(-group), TIMEOUT_MS);
    expect(isAlive(pid)).toBe(false);
    expect(await readdir(locks)).toEqual([]);
  },
);

async function lockFile(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  return names.find((name) => name.endsWith(".lock"));
}
