import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claudeCode, jetBrains } from "@idewire/core";
import { claudeDiscovery } from "@idewire/core/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { useListeners } from "../../../../tests/src/listening-fixture.ts";
import type { IdeListener } from "../listen/listen-options.ts";
import { webSocketsOf } from "../listen/web-sockets-of.ts";
import { ownIdentity } from "../process/liveness.ts";
import { publishLockFile } from "./lock-file.ts";

const at = useListeners();

function lockFileOf({ endpoints: [endpoint] }: IdeListener): string {
  if (endpoint?.lockFile === undefined) throw new Error("no endpoint");
  return endpoint.lockFile;
}

/** Removes a file, and waits until it is restored. */
async function removeUntilBack(path: string, timeout = 1_000): Promise<void> {
  await rm(path);
  await expect.poll(() => existsSync(path), { timeout, interval: 5 }).toBe(true);
}

const facts = {
  port: 4711,
  token: "t".repeat(86),
  folders: ["/work"],
  ideName: "test",
  isLocal: true,
  inWindows: false,
  writtenMs: 0,
  process: ownIdentity(),
};

/** A published file with short pauses between restorations. */
async function publishOften(warn: (error: Error) => void) {
  const directory = join(at.home, ".claude", "ide");
  const options = { directory, warn, pauseMs: 100 };
  const published = await publishLockFile(claudeDiscovery, facts, options);
  onTestFinished(() => published.remove());
  return published;
}

describe("a deleted discovery file", () => {
  test("is published again at once, with the same text, and then at most every 10 s", async () => {
    const file = lockFileOf(await at.listen());
    const before = await readFile(file, "utf8");
    await removeUntilBack(file);
    expect(await readFile(file, "utf8")).toBe(before);
    const deletedAt = performance.now();
    await removeUntilBack(file, 15_000);
    expect(performance.now() - deletedAt).toBeGreaterThan(9_000);
  });

  test("is published again when its directory was moved away", async () => {
    const file = lockFileOf(await at.listen());
    await rename(join(at.home, ".claude"), join(at.home, "away"));
    await expect.poll(() => existsSync(file), { timeout: 5_000 }).toBe(true);
  });

  test("is published again when it was moved away, in every dialect", async () => {
    const { endpoints } = await at.listen({ dialects: [claudeCode, jetBrains] });
    for (const { lockFile } of webSocketsOf(endpoints)) {
      await rename(lockFile, `${lockFile}.away`);
      await expect.poll(() => existsSync(lockFile), { interval: 5 }).toBe(true);
    }
  });

  test("is not published again after close", async () => {
    const listener = await at.listen();
    const file = lockFileOf(listener);
    await rm(file);
    await listener.close();
    await sleep(300);
    expect(existsSync(file)).toBe(false);
  });

  test("is reported once, after the third time, with the shared directory and the remedy", async () => {
    const warnings: string[] = [];
    const { path } = await publishOften(({ message }) => warnings.push(message));
    await removeUntilBack(path);
    await removeUntilBack(path);
    expect(warnings).toEqual([]);
    for (let times = 0; times < 3; times += 1) await removeUntilBack(path);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(dirname(path));
    expect(warnings[0]).toMatch(/container.*:ro.*CLAUDE_CONFIG_DIR/);
  });
});

describe("a discovery file that another program has replaced", () => {
  const foreign = JSON.stringify({ workspaceFolders: ["/else"], pid: 1, ideName: "Other" });

  test.each([
    ["another editor's", foreign],
    ["another idewire's", JSON.stringify({ ...JSON.parse(foreign), generator: "idewire" })],
    ["one that is empty", ""],
  ])("is not replaced: %s", async (_, text) => {
    const published = await publishOften(() => {});
    const { path } = published;
    await rm(path);
    await writeFile(path, text);
    await sleep(500);
    expect(await readFile(path, "utf8")).toBe(text);
    published.remove();
    expect(existsSync(path)).toBe(true);
  });

  test("is not replaced where it is a directory, or a link that leads nowhere", async () => {
    const { path } = await publishOften(() => {});
    // It may be restored in between.
    await expect.poll(() => rm(path, { force: true }).then(() => mkdir(path))).toBe(undefined);
    await sleep(300);
    await expect
      .poll(() => rm(path, { recursive: true, force: true }).then(() => symlink("/nowhere", path)))
      .toBe(undefined);
    await sleep(300);
    expect(existsSync(path)).toBe(false);
  });

  test("is replaced by ours once it is gone", async () => {
    const { path } = await publishOften(() => {});
    const before = await readFile(path, "utf8");
    await writeFile(path, foreign);
    await rm(path);
    await expect.poll(() => existsSync(path)).toBe(true);
    expect(await readFile(path, "utf8")).toBe(before);
  });
});
