import { once } from "node:events";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { claudeCode, jetBrains } from "@idewire/core";
import { afterEach, describe, expect, test } from "vitest";
import { useListeners } from "../../../../tests/src/listening-fixture.ts";
import type { ResumeRecord } from "../discovery/folder-claim.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();
const { listen } = at;
const others: Server[] = [];

afterEach(() => {
  for (const server of others.splice(0)) server.close();
});

/** Port and token of each dialect, as published for agents. */
async function published({ endpoints }: IdeListener) {
  return Promise.all(
    endpoints.map(async ({ port, lockFile = "" }) => {
      const { authToken } = JSON.parse(await readFile(lockFile, "utf8")) as { authToken: string };
      return { port, token: authToken };
    }),
  );
}

/** Listens on a port as another program. */
async function occupy(port = 0): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  others.push(server);
  // Another process may have been faster.
  const isTaken = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
  };
  await once(server, "listening").catch(isTaken);
  return server.listening ? (server.address() as { port: number }).port : port;
}

function stateDirectory(): string {
  return join(at.home, ".local/state/idewire");
}

async function recordFile(): Promise<string> {
  const names = await readdir(stateDirectory());
  return join(stateDirectory(), names.find((name) => name.endsWith(".json")) ?? "");
}

/** Changes the record that a run has left behind. */
async function leave(change: (record: ResumeRecord) => unknown): Promise<string> {
  await (await listen()).close();
  const file = await recordFile();
  const record = JSON.parse(await readFile(file, "utf8")) as ResumeRecord;
  await writeFile(file, JSON.stringify(change(record)));
  return file;
}

describe("a token is for one port", () => {
  test("if the old port is taken, the token is new as well", async () => {
    const dialects = [claudeCode, jetBrains];
    const first = await listen({ dialects });
    const [claude, idea] = await published(first);
    await first.close();
    await occupy(claude?.port);
    const [moved, kept] = await published(await listen({ dialects }));
    expect(kept).toEqual(idea);
    expect(moved?.port).not.toBe(claude?.port);
    expect(moved?.token).not.toBe(claude?.token);
    expect(claude?.token).not.toBe(idea?.token);
  });

  test("a requested port has the token of the last run only if that had the port", async () => {
    const first = await listen();
    const [before] = await published(first);
    await first.close();
    const same = await listen({ port: before?.port ?? 0 });
    expect(await published(same)).toEqual([before]);
    await same.close();
    const port = await occupy();
    others.pop()?.close();
    const [other] = await published(await listen({ port }));
    expect(other?.port).toBe(port);
    expect(other?.token).not.toBe(before?.token);
  });
});

describe("an untrusted record is void", () => {
  const DAY_S = 86_400;
  const withToken = (token: unknown) => (record: ResumeRecord) => ({
    ...record,
    endpoints: { "claude-code": { ...record.endpoints["claude-code"], token } },
  });

  test.each([
    ["an empty token", withToken("")],
    ["a short token", withToken("a".repeat(42))],
    ["a token with other characters", withToken("é".repeat(86))],
    ["no token", withToken(undefined)],
    ["another folder", (record: ResumeRecord) => ({ ...record, folder: "/elsewhere" })],
  ])("%s", async (_, change) => {
    const file = await leave(change);
    const spoiled = await readFile(file, "utf8");
    const [now] = await published(await listen());
    expect(now?.token).toMatch(/^[\w-]{86}$/);
    expect(spoiled).not.toContain(now?.token);
  });

  test.each([
    ["older than a day", -DAY_S - 60],
    ["from the future", DAY_S + 60],
  ])("one that is %s", async (_, ageS) => {
    const file = await leave((record) => record);
    const then = Date.now() / 1_000 + ageS;
    await utimes(file, then, then);
    const old = await readFile(file, "utf8");
    const [now] = await published(await listen());
    expect(old).not.toContain(now?.token);
  });

  test.runIf(process.getuid !== undefined)("one that others can write", async () => {
    const file = await leave((record) => record);
    const old = await readFile(file, "utf8");
    await rm(file);
    await writeFile(file, old, { mode: 0o666 });
    const [now] = await published(await listen());
    expect(old).not.toContain(now?.token);
  });
});

describe("remains of a crash do not block the next start", () => {
  const isLinux = process.platform === "linux";

  test.runIf(isLinux)("a pid that another process has reused", async () => {
    const first = await listen();
    const [before] = await published(first);
    const file = await recordFile();
    const running = await readFile(file, "utf8");
    await first.close();
    await writeFile(file, running.replace(/"started":"(\S+) \d+"/, '"started":"$1 1"'));
    // The port answers as well, and a process with this pid is running.
    await occupy(before?.port);
    const [now] = await published(await listen());
    expect(now?.port).not.toBe(before?.port);
  });

  test.runIf(isLinux)("a guard of a process whose pid was reused", async () => {
    await leave((record) => record);
    const started = `${"0".repeat(8)} 1`;
    const guard = `${await recordFile()}.starting`;
    await writeFile(guard, JSON.stringify({ pid: process.pid, started }), { mode: 0o600 });
    expect((await listen()).endpoints).toHaveLength(1);
  });

  test("incomplete drafts are removed, and nothing else", async () => {
    const ide = join(at.home, ".claude/ide");
    await mkdir(ide, { recursive: true });
    await mkdir(stateDirectory(), { recursive: true, mode: 0o700 });
    const drafts = [
      join(stateDirectory(), "idewire-0123abcd.tmp"),
      join(stateDirectory(), "folder.json.idewire-0123abcd.tmp"),
      join(ide, "4711.lock.idewire-0123abcd.tmp"),
    ];
    const kept = [
      join(ide, "4711.lock.0123abcd.tmp"),
      join(ide, "notes.tmp"),
      join(stateDirectory(), "idewire-fresh123.tmp"),
    ];
    for (const file of [...drafts, ...kept]) {
      await writeFile(file, "");
      await utimes(file, 1, 1);
    }
    const fresh = join(ide, "4712.lock.idewire-89abcdef.tmp");
    await writeFile(fresh, "");
    await listen();
    const left = [...(await readdir(ide)), ...(await readdir(stateDirectory()))];
    for (const file of drafts) expect(left).not.toContain(file.replace(/^.*\//, ""));
    for (const file of [...kept, fresh]) expect(left).toContain(file.replace(/^.*\//, ""));
  });
});
