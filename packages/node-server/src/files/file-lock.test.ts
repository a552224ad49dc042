import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { lockBeside, takeFileLock } from "./file-lock.ts";

async function openFolder(): Promise<string> {
  const folder = temporaryFolder("idewire-lock-");
  return folder;
}

const options = { timeoutMs: 10_000, describe: (holder: string) => `${holder} has it` };
/** The age at which a lock without a holder's name is stale. */
const LONG_MS = 5_000;

/** Acquires the lock by each of these paths concurrently; resolves to the order in which they held it. */
async function contend(locks: readonly string[]): Promise<readonly number[]> {
  const order: number[] = [];
  let holders = 0;
  const turns = locks.map(async (lock, turn) => {
    const release = await takeFileLock(lock, options);
    holders += 1;
    expect(holders).toBe(1);
    order.push(turn);
    await new Promise((resolve) => setImmediate(resolve));
    holders -= 1;
    await release();
  });
  await Promise.all(turns);
  return order;
}

/** Other spellings of the path, which share only the file on disk, like other processes. */
const spellings = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/${"./".repeat(at)}x.lock`);

test("one caller at a time holds the lock, in this process in the order of the calls", async () => {
  const folder = await openFolder();
  const order = await contend(Array(20).fill(join(folder, "x.lock")));
  expect(order).toEqual([...Array(20).keys()]);
  expect(await readdir(folder)).toEqual([]);
});

test("processes that share only the disk hold it one at a time, too", async () => {
  const folder = await openFolder();
  expect(await contend(spellings(folder, 8))).toHaveLength(8);
  expect(await readdir(folder)).toEqual([]);
});

test("a process with a long queue yields to another", async () => {
  const [ours = "", theirs = ""] = spellings(await openFolder(), 2);
  let waiting = 200;
  const queue = Array.from({ length: waiting }, async () => {
    const release = await takeFileLock(ours, options);
    waiting -= 1;
    await setTimeout(5);
    await release();
  });
  await Promise.race(queue);
  const release = await takeFileLock(theirs, options);
  expect(waiting).toBeGreaterThan(50);
  await release();
  await Promise.all(queue);
});

test("a lock names its process", async () => {
  const folder = await openFolder();
  const release = await takeFileLock(join(folder, "x.lock"), options);
  expect(JSON.parse(await readFile(join(folder, "x.lock"), "utf8"))).toMatchObject({
    pid: process.pid,
  });
  await release();
});

// Only on Linux is the start time of a process available.
const reused: readonly [string, string, number][] =
  process.platform === "linux"
    ? [["of a process whose number another has", JSON.stringify({ pid: 1, started: "then" }), 0]]
    : [];

test.each([
  // No process has this number.
  ["of a process that is gone", JSON.stringify({ pid: 2 ** 31 - 2 }), 0],
  ...reused,
  ["that names nobody, and is old", "", LONG_MS],
  ["that is not a lock, and is old", '{"pid":"me"}', LONG_MS],
])("a lock %s is taken over, by one", async (_, text, ageMs) => {
  const folder = await openFolder();
  await writeFile(join(folder, "x.lock"), text);
  const then = new Date(Date.now() - ageMs);
  await utimes(join(folder, "x.lock"), then, then);
  expect(await contend(spellings(folder, 8))).toHaveLength(8);
  expect(await readdir(folder)).toEqual([]);
});

test("a crashed breaker blocks nobody", async () => {
  const folder = await openFolder();
  for (const name of ["x.lock", "x.lock.breaking"]) {
    await writeFile(join(folder, name), JSON.stringify({ pid: 2 ** 31 - 2 }));
  }
  expect(await contend(spellings(folder, 4))).toHaveLength(4);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ["a process that lives", JSON.stringify({ pid: process.ppid }), `Process ${process.ppid}`],
  ["one that has not named itself yet", "", "Another process"],
])("the lock of %s is waited for, and not taken over", async (_, text, holder) => {
  const folder = await openFolder();
  const lock = join(folder, "x.lock");
  await writeFile(lock, text);
  const taken = takeFileLock(lock, { ...options, timeoutMs: 100 });
  await expect(taken).rejects.toMatchObject({ code: "timeout", message: `${holder} has it` });
  expect(await readFile(lock, "utf8")).toBe(text);
  await rm(lock);
  await (await takeFileLock(lock, options))();
});

test("a lock that cannot be written is reported with its file, without a wait", async () => {
  const folder = await openFolder();
  const lock = join(folder, "none", "x.lock");
  for (const _ of [1, 2]) {
    await expect(takeFileLock(lock, options)).rejects.toMatchObject({
      code: "file-system",
      message: expect.stringContaining(lock),
    });
  }
});

test("releasing a lock twice does not release the next holder's", async () => {
  const lock = join(await openFolder(), "x.lock");
  const release = await takeFileLock(lock, options);
  await release();
  const releaseNext = await takeFileLock(lock, options);
  await release();
  await expect(readFile(lock, "utf8")).resolves.toContain(`${process.pid}`);
  await releaseNext();
});

test("a lock whose process no longer renews it is taken over for good", async () => {
  const lock = join(await openFolder(), "x.lock");
  const showing = { ...options, timeoutMs: 0, silentMs: 1_000 };
  const other = JSON.stringify({ pid: process.ppid });
  await writeFile(lock, other);
  await expect(takeFileLock(lock, showing)).rejects.toMatchObject({ code: "timeout" });
  const then = new Date(Date.now() - 2_000);
  await utimes(lock, then, then);
  const release = await takeFileLock(lock, showing);
  await expect(readFile(lock, "utf8")).resolves.toContain(`${process.pid}`);
  // The stale lock is taken over by one process after another.
  await writeFile(lock, other);
  await release();
  await expect(readFile(lock, "utf8")).resolves.toBe(other);
});

const FUTURE = new Date("2100-01-01");
const anyProcess = JSON.stringify({ pid: 1 });

test.each([
  ["names a process that always runs", anyProcess, new Date()],
  ["names one with an invented start", JSON.stringify({ pid: 1, started: "x 1" }), new Date()],
  ["names one, and is of the future", anyProcess, FUTURE],
  ["names nobody, and is of the future", "", FUTURE],
  ["is megabytes long", " ".repeat(1 << 22), new Date(0)],
])("a file from elsewhere in the place of a lock blocks for seconds: it %s", async (...given) => {
  const [, text, time] = given;
  const file = join(await openFolder(), "x");
  for (const name of [`${file}.lock`, `${file}.lock.breaking`]) {
    await writeFile(name, text);
    await utimes(name, time, time);
  }
  await (await lockBeside(file))();
  await expect(readdir(dirname(file))).resolves.toEqual([]);
});

test.concurrent("a link in the place of a lock is removed, a folder is named and stays", async () => {
  const file = join(await openFolder(), "x");
  await symlink("/no/such/file", `${file}.lock`);
  await (await lockBeside(file))();
  await mkdir(`${file}.lock`);
  await writeFile(join(`${file}.lock`, "kept"), "");
  await expect(lockBeside(file)).rejects.toThrow("The folder x.lock, which must be removed, is");
  await expect(readdir(`${file}.lock`)).resolves.toEqual(["kept"]);
});

test.concurrent.each([
  [
    "a folder",
    (guard: string) => mkdir(guard),
    "The folder x.lock.breaking, which must be removed,",
  ],
  [
    "a folder with a file",
    (guard: string) => mkdir(join(guard, "kept"), { recursive: true }),
    "The",
  ],
  [
    "the lock of a process that runs",
    (guard: string) => writeFile(guard, JSON.stringify({ pid: process.ppid })),
    `Process ${process.ppid}`,
  ],
])("a guard that cannot be taken down, %s, is reported in time", async (_, create, holder) => {
  const lock = join(await openFolder(), "x.lock");
  await writeFile(lock, JSON.stringify({ pid: 2 ** 31 - 2 }));
  await create(`${lock}.breaking`);
  await expect(takeFileLock(lock, { ...options, timeoutMs: 200 })).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringContaining(holder),
  });
});

test.concurrent("the lock of a process that runs is not taken over, however old", async () => {
  const file = join(await openFolder(), "x");
  const release = await lockBeside(file);
  await utimes(`${file}.lock`, new Date(0), new Date(0));
  // With another spelling of the path, it acts like another process.
  await expect(lockBeside(`${dirname(file)}/./x`)).rejects.toThrow(
    `Process ${process.pid} is using the file`,
  );
  await release();
});
