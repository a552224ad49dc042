import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { RawClient } from "../src/raw-client.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";

const MIB = 1 << 20;
let program = "";

beforeAll(async () => {
  program = join(import.meta.dirname, "..", "node_modules", ".listening-folder.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../src/hostile/listening-folder.ts")],
    outfile: program,
    bundle: true,
    conditions: ["@idewire/source"],
    external: ["ws", "valibot"],
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});

/** A served folder in a separate process, and a well-behaved client. */
async function openFixture() {
  const workspace = openWorkspace();
  const env = { PATH: process.env["PATH"] ?? "", ...workspace.env };
  const child = spawn(process.execPath, [program, workspace.folder], { env, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const lockFile = String((await lines.next()).value);
  const otherClient = await RawClient.ready(lockFile);
  return { child, lockFile, otherClient, memory: watchMemory(child) };
}

/** Records the peak memory of a process from now on, in bytes. */
function watchMemory({ pid }: ChildProcess): () => number {
  let most = 0;
  const look = () => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    most = Math.max(most, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024);
    return most;
  };
  const timer = setInterval(look, 20);
  onTestFinished(() => clearInterval(timer));
  return look;
}

/** The CPU time of a process in milliseconds; a tick has ten. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const proposal = (id: number, bytes: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"openDiff","arguments":{"old_file_path":"/nowhere/a","new_file_path":"/nowhere/a","tab_name":"t${id}","new_file_contents":"${"x".repeat(bytes)}"}}}`;

describe("a frame of 16 MiB does not affect other clients, whatever its content", () => {
  const size = 16 * MIB - 100;
  const call = (text: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${text}}}`;
  const bombs: readonly (readonly [string, () => string])[] = [
    ["open brackets", () => "[".repeat(size)],
    ["brackets", () => call("[".repeat(size / 2 - 40) + "]".repeat(size / 2 - 40))],
    ["objects in one another", () => '{"a":'.repeat(size / 5)],
    ["empty objects", () => call(`[${"{},".repeat(size / 3 - 40)}{}]`)],
    ["numbers", () => call(`[${"1,".repeat(size / 2 - 40)}1]`)],
    ["keys", () => `{${Array.from({ length: size / 16 }, (_, at) => `"${at}":0`).join()}}`],
    ["escapes", () => call(`"${"\\n".repeat(size / 2 - 40)}"`)],
    [
      "messages",
      () => `[${Array(390_000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`,
    ],
  ];

  test.each(bombs)(
    "%s",
    async (_, make) => {
      const { child, lockFile, otherClient, memory } = await openFixture();
      const attacker = await RawClient.ready(lockFile);
      const bomb = make();
      const before = cpuOf(child);
      for (let count = 0; count < 5; count += 1) attacker.send(bomb);
      // The answer to the ping follows those to all of them.
      expect(await attacker.request("ping", undefined, 60_000)).toMatchObject({ result: {} });
      // Measured 0.5 s for all five, most of it to read 80 MiB; parsing them would take 3 to 16 s.
      expect(cpuOf(child) - before).toBeLessThan(2_500);
      expect(memory()).toBeLessThan(500 * MIB);
      expect(await otherClient.request("ping")).toMatchObject({ result: {} });
    },
    90_000,
  );
});

describe("clients that make a listener buffer much are closed with a reason", () => {
  test.each([
    ["5 clients with as many proposals as they get in", 5, 15],
    ["40 clients with proposals of 15 MiB", 40, 2],
  ])(
    "%s",
    async (_, count, proposals) => {
      const { lockFile, otherClient, memory } = await openFixture();
      const frames = Array.from({ length: proposals }, (_, id) => proposal(id, 15 * MIB));
      const clients = await Promise.all(
        Array.from({ length: count }, () => RawClient.ready(lockFile)),
      );
      for (const client of clients) {
        for (const frame of frames) {
          if (client.socket.readyState !== WebSocket.OPEN) break;
          await new Promise((resolve) => client.socket.send(frame, resolve));
        }
      }
      const reasons = new Set<string>();
      for (const client of clients) {
        void client.closed.then(({ code, reason }) => reasons.add(`${code} ${reason}`));
      }
      await expect.poll(() => reasons.size).toBeGreaterThan(0);
      expect(await otherClient.request("ping", undefined, 60_000)).toMatchObject({ result: {} });
      expect([...reasons].join()).toMatch(/1008 More than (64|512) MiB are held for/);
      expect(memory()).toBeLessThan(1_000 * MIB);
    },
    120_000,
  );

  test("255 clients that do not finish a message of 16 MiB", async () => {
    const { lockFile, otherClient, memory } = await openFixture();
    const reasons = new Set<string>();
    const clients = await Promise.all(Array.from({ length: 255 }, () => RawClient.ready(lockFile)));
    for (const { closed } of clients) {
      void closed.then(({ code, reason }) => reasons.add(`${code} ${reason}`));
    }
    const part = Buffer.alloc(MIB, "x");
    for (let mib = 0; mib < 15; mib += 1) {
      const open = clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
      for (const { socket } of open) socket.send(part, { binary: false, fin: false });
      expect(await otherClient.request("ping", undefined, 60_000)).toMatchObject({ result: {} });
    }
    expect([...reasons].join()).toMatch(/1008 More than 512 MiB are held for all clients/);
    expect(memory()).toBeLessThan(1_200 * MIB);
  });
});
