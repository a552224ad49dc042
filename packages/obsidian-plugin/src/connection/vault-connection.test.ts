import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { defaultSharePolicy } from "@idewire/core";
import { systemClock } from "@idewire/core/internal";
import type { Clock } from "@idewire/core/rpc";
import { expect, onTestFinished, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { RawClient } from "../../../../tests/src/raw-client.ts";
import { VaultConnection } from "./vault-connection.ts";

const at = useListeners();

interface Given {
  readonly known?: () => Promise<unknown>;
  readonly clock?: Clock;
}

function openConnection({ known = async () => {}, clock = systemClock }: Given = {}) {
  const connection = new VaultConnection({
    host: hostOf(at.folder),
    share: defaultSharePolicy,
    annotateDiagnostics: async (files) => files,
    known,
    env: () => ({ HOME: at.home }),
    links: [],
    agents: () => [],
    exclude: () => [],
    clock,
  });
  onTestFinished(() => connection.close());
  return connection;
}

const lockFiles = () => readdir(join(at.home, ".claude", "ide")).catch(() => []);

test("closing and restarting during a start leaves one listener", async () => {
  const connection = openConnection();
  const starts = [connection.start()];
  for (let round = 0; round < 3; round += 1) {
    await connection.close();
    starts.push(connection.start());
  }
  await Promise.all(starts);
  expect(connection.state).toEqual({ kind: "listening" });
  expect(await lockFiles()).toHaveLength(1);
  await connection.close();
  expect(await lockFiles()).toEqual([]);
});

test("a connection closed before the share settings are known never listens", async () => {
  let resolveKnown = () => {};
  const connection = openConnection({
    known: () => new Promise<void>((resolve) => (resolveKnown = resolve)),
  });
  const started = connection.start();
  await connection.close();
  resolveKnown();
  await started;
  expect(connection.state).toEqual({ kind: "closed" });
  await expect.poll(lockFiles).toEqual([]);
});

test("a warning of a running listener is emitted, and remains in the doctor's findings", async () => {
  const connection = openConnection();
  const warned: string[] = [];
  connection.on("warning", ({ message }) => warned.push(message));
  await connection.start();
  await joinAs(process.pid);
  await connection.close();
  await connection.start();
  await joinAs(process.pid);
  await expect.poll(() => warned).toHaveLength(1);
  expect(warned[0]).toContain("claude --ide --permission-mode default --continue");
  expect(connection.warnings.map(({ message }) => message)).toEqual(warned);
  // Its record is written before the home is removed.
  await connection.close();
});

/** Connects as the Claude Code of a process, and waits until the connection lists it. */
async function joinAs(pid: number): Promise<void> {
  const [name] = await lockFiles();
  const agent = await RawClient.open(join(at.home, ".claude", "ide", String(name)));
  const clientInfo = { name: "claude-code", version: "2.1.330" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await agent.request("initialize", params);
  agent.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  agent.send({ jsonrpc: "2.0", method: "ide_connected", params: { pid } });
  await agent.request("ping");
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/** An editor without a socket cannot be joined. */
async function removeSockets(): Promise<void> {
  const state = join(at.home, ".local/state/idewire");
  const names = (await readdir(state)).filter((name) => name.endsWith(".sock"));
  await Promise.all(names.map((name) => rm(join(state, name))));
}

test("a start that waits for another window ends when it is closed", async () => {
  const other = await at.listen();
  await removeSockets();
  let waits = 0;
  const setTimeout: Clock["setTimeout"] = (callback, ms) => {
    waits += 1;
    return systemClock.setTimeout(callback, ms);
  };
  const connection = openConnection({ clock: { ...systemClock, setTimeout } });
  const started = connection.start();
  await expect.poll(() => waits).toBe(1);
  await connection.close();
  await started;
  expect(connection.state).toEqual({ kind: "closed" });
  expect(await lockFiles()).toHaveLength(1);
  await other.close();
});
