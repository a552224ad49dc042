import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EditorHost } from "@idewire/core";
import { fakeEditorHost } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { RawClient } from "../../../../tests/src/raw-client.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();
const SECRET = "the text that nobody records";

/** An editor of the folder with pending diffs, and the fake host that answers them. */
function waitingHost() {
  const fake = fakeEditorHost();
  const openDiff: NonNullable<EditorHost["openDiff"]> = (...call) => fake.openDiff(...call);
  const closeDiff: NonNullable<EditorHost["closeDiff"]> = (...call) => fake.closeDiff(...call);
  return { fake, host: { ...hostOf(at.folder), openDiff, closeDiff } satisfies EditorHost };
}

async function joinAs(listener: IdeListener, name = "claude-code"): Promise<RawClient> {
  const agent = await RawClient.open(listener.endpoints[0]?.lockFile ?? "");
  await agent.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name, version: "2.1.330" },
  });
  agent.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return agent;
}

const stateFolder = () => join(at.home, ".local/state/idewire");

async function record(): Promise<string> {
  const names = await readdir(stateFolder());
  return readFile(join(stateFolder(), names.find((name) => name.endsWith(".json")) ?? ""), "utf8");
}

/** Closes a listener, but leaves the files as if it had been killed. */
async function kill(listener: IdeListener): Promise<void> {
  const kept = `${at.home}/kept`;
  // Sockets cannot be copied; those of a killed process refuse connections anyway.
  const filter = (path: string) => !path.endsWith(".sock");
  await cp(stateFolder(), kept, { recursive: true, filter });
  await listener.close();
  await cp(kept, stateFolder(), { recursive: true });
}

test("a diff that is pending when the run is killed is listed by the next run, with the place to answer it", async () => {
  const { host } = waitingHost();
  const listener = await at.listen({ host });
  const agent = await joinAs(listener);
  agent.propose(`${at.folder}/a.txt`, SECRET);
  await expect.poll(record).toContain("a.txt");
  expect(await record()).not.toContain(SECRET);
  await kill(listener);
  const next = await at.listen({ host });
  const words = next.warnings.map(({ message }) => message);
  expect(words).toHaveLength(1);
  expect(words[0]).toMatch(/a\.txt.*Claude Code.*answer it in Claude Code/);
  expect(await record()).not.toContain("a.txt");
});

test("several diffs of several agents are listed, each with its agent", async () => {
  const { host } = waitingHost();
  const listener = await at.listen({ host });
  for (const name of ["claude-code", "opencode"]) {
    (await joinAs(listener, name)).propose(`${at.folder}/${name}.txt`, SECRET);
  }
  await expect.poll(record).toMatch(/claude-code\.txt.*opencode\.txt/);
  await kill(listener);
  const words = (await at.listen({ host })).warnings.map(({ message }) => message).join("\n");
  expect(words).toMatch(/claude-code\.txt.*answer it in Claude Code/);
  expect(words).toMatch(/opencode\.txt.*answer it in opencode/);
});

test("a diff that was answered, and one whose run has closed, are not listed", async () => {
  const { fake, host } = waitingHost();
  const listener = await at.listen({ host });
  const agent = await joinAs(listener);
  agent.propose(`${at.folder}/a.txt`, SECRET);
  await expect.poll(() => fake.shownDiffs.length).toBe(1);
  const [request] = fake.shownDiffs;
  if (request !== undefined) fake.answerDiff(request.id, { kind: "rejected" });
  await expect.poll(record).not.toContain("a.txt");
  agent.propose(`${at.folder}/b.txt`, SECRET);
  await expect.poll(record).toContain("b.txt");
  await listener.close();
  expect(await record()).not.toContain("b.txt");
  expect((await at.listen({ host })).warnings).toEqual([]);
});
