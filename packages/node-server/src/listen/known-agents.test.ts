import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { useListeners } from "../../../../tests/src/listening-fixture.ts";
import { RawClient } from "../../../../tests/src/raw-client.ts";
import { KnownAgents } from "./known-agents.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();
const stateFolder = () => join(at.home, ".local/state/idewire");

async function recordFile(): Promise<string> {
  const names = await readdir(stateFolder());
  return join(stateFolder(), names.find((name) => name.endsWith(".json")) ?? "");
}

async function spawnAgent(): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child as ChildProcess & { readonly pid: number };
}

/** Connects as the process of an agent, and waits until the listener has registered it. */
async function joinAs(listener: IdeListener, pid: number, name = "claude-code") {
  const agent = await RawClient.open(listener.endpoints[0]?.lockFile ?? "");
  const clientInfo = { name, version: "2.1.330" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await agent.request("initialize", params);
  agent.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  agent.send({ jsonrpc: "2.0", method: "ide_connected", params: { pid } });
  const known = async () => readFile(await recordFile(), "utf8");
  await expect.poll(known).toMatch(new RegExp(`"agents":.*"pid":${pid},`));
  return agent;
}

test("a Claude Code that was connected before a restart is reported once, with how to get diagnostics back", async () => {
  const { pid } = await spawnAgent();
  const first = await at.listen();
  await joinAs(first, pid);
  expect(first.warnings).toEqual([]);
  await first.close();
  const second = await at.listen();
  await joinAs(second, pid);
  await joinAs(second, pid);
  expect(second.warnings).toHaveLength(1);
  expect(second.warnings[0]?.message).toMatch(
    /no diagnostics.*claude --ide --permission-mode default --continue$/,
  );
});

test("it is reported after a run that was killed, too", async () => {
  const { pid } = await spawnAgent();
  const first = await at.listen();
  await joinAs(first, pid);
  const filter = (path: string) => !path.endsWith(".sock");
  await cp(stateFolder(), `${at.home}/kept`, { recursive: true, filter });
  await first.close();
  await cp(`${at.home}/kept`, stateFolder(), { recursive: true });
  const second = await at.listen();
  await joinAs(second, pid);
  expect(second.warnings).toHaveLength(1);
});

test("a new Claude Code, another agent, and a new process with a reused number are not reported", async () => {
  const [old, fresh] = [await spawnAgent(), await spawnAgent()];
  const first = await at.listen();
  await joinAs(first, old.pid);
  await first.close();
  const second = await at.listen();
  await joinAs(second, fresh.pid);
  await joinAs(second, old.pid, "opencode");
  expect(second.warnings).toEqual([]);
  await second.close();
  const file = await recordFile();
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(/"started":"[^"]*"/g, '"started":"another boot 1"'));
  const third = await at.listen();
  await joinAs(third, old.pid);
  await sleep(50);
  expect(third.warnings).toEqual([]);
});

test("the agents that came last are remembered, however many processes one session names", () => {
  const recorded: (readonly unknown[])[] = [];
  const warnings: Error[] = [];
  const agent = { name: "claude-code", version: "2.1.330" };
  // Above the highest number of a process.
  const pidOf = (index: number) => 2 ** 30 + index;
  const known = new KnownAgents({
    dialects: [],
    previous: { agents: [{ pid: pidOf(0) }] },
    record: (agents) => recorded.push(agents),
    warn: (error) => warnings.push(error),
  });
  for (let index = 0; index < 65; index += 1) known.identified({ pid: pidOf(index), agent });
  expect(recorded.at(-1)?.at(0)).toMatchObject({ pid: pidOf(1) });
  expect(recorded.at(-1)).toHaveLength(64);
  expect(warnings).toHaveLength(1);
  // It was evicted, so it is reported as new.
  known.identified({ pid: pidOf(0), agent });
  expect(warnings).toHaveLength(2);
});
