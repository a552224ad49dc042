import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnZombie } from "../../../../tests/src/spawn-zombie.ts";
import { isRunning, ownIdentity } from "./liveness.ts";
import { describeProcessesBy, processFacts } from "./process-facts.ts";
import { readPs } from "./read-ps.ts";

const hasPs = (() => {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(process.pid)]).length > 0;
  } catch {
    return false;
  }
})();

async function spawnSleep(): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child as ChildProcess & { readonly pid: number };
}

/** Sets a process name that looks like the fields that follow it. */
const NAMED = `process.title = "a) T 1 (b"; console.log(); setInterval(() => {}, 1000);`;

describe.each([
  ["the system", processFacts, process.platform !== "win32"],
  ["ps", readPs, hasPs],
])("%s", (_, read, exists) => {
  test.runIf(exists)("reports the same start of a process each time", async () => {
    const { pid } = await spawnSleep();
    const started = read(pid)?.started;
    expect(started).toMatch(/\d/);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(read(pid)?.started).toBe(started);
    expect(read(process.pid)?.started).not.toBe(started);
  });

  test.runIf(exists)("reports whether a process is stopped", async () => {
    const child = await spawnSleep();
    expect(read(child.pid)?.isStopped).toBe(false);
    child.kill("SIGSTOP");
    await expect.poll(() => read(child.pid)?.isStopped).toBe(true);
    child.kill("SIGCONT");
    await expect.poll(() => read(child.pid)?.isStopped).toBe(false);
  });

  test.runIf(exists)("reports that a zombie process has ended", async () => {
    const pid = await spawnZombie();
    await expect.poll(() => read(pid)?.hasEnded).toBe(true);
    expect(read(process.pid)?.hasEnded).toBe(false);
  });

  test.runIf(exists)("reads a process whatever its name", async () => {
    const child = spawn(process.execPath, ["-e", NAMED], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(read(child.pid ?? 0)).toMatchObject({ parent: process.pid, isStopped: false });
    expect(read(child.pid ?? 0)?.started).toMatch(/\d{2}/);
  });
});

describe("a process is identified by its number and its start", () => {
  test("with another start it is another process", async () => {
    const { pid } = await spawnSleep();
    expect(isRunning({ pid, started: "another boot 1" })).toBe(false);
    expect(isRunning({ ...ownIdentity(), pid })).toBe(false);
    expect(isRunning(ownIdentity())).toBe(true);
  });

  test("without its start its number must suffice", async () => {
    const { pid } = await spawnSleep();
    expect(isRunning({ pid })).toBe(true);
  });

  test("an ended process is not running, and an invalid number never was", async () => {
    const child = await spawnSleep();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isRunning({ pid: child.pid })).toBe(false);
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(isRunning({ pid })).toBe(false);
  });

  test.runIf(process.platform === "linux")("a zombie process is not running", async () => {
    const pid = await spawnZombie();
    await expect.poll(() => isRunning({ pid })).toBe(false);
    const started = processFacts(pid)?.started ?? "";
    expect([started === "", isRunning({ pid, started })]).toEqual([false, false]);
  });
});

describe("where there is no /proc", () => {
  const { platform } = process;
  const setPlatform = (value: string) => Object.defineProperty(process, "platform", { value });

  test.runIf(hasPs)(
    "a process is identified by its number alone until ps has been run",
    async () => {
      const { pid } = await spawnSleep();
      onTestFinished(() => {
        describeProcessesBy(() => undefined);
        setPlatform(platform);
      });
      setPlatform("darwin");
      expect(processFacts(pid)).toBeUndefined();
      expect(ownIdentity()).toEqual({ pid: process.pid });
      expect(isRunning({ pid, started: "another boot 1" })).toBe(true);
      describeProcessesBy(readPs);
      expect(processFacts(pid)).toEqual(readPs(pid));
      expect(isRunning({ pid, started: "another boot 1" })).toBe(false);
    },
  );
});
