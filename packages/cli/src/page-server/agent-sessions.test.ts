import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { IdeListener } from "@idewire/node-server";
import type { IdeListenerEvents } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { AgentSessions } from "./agent-sessions.ts";

async function openSessions() {
  const root = temporaryFolder("idewire-agents-");
  const host = await openFolderHost(root);
  onTestFinished(() => host.close());
  const events = new Emitter<IdeListenerEvents>();
  const session = { id: "s1", agent: { name: "claude-code", version: "2" }, pid: 7, ready: true };
  const listener = { sessions: new Set<object>([session]), on: events.on.bind(events) };
  const sessions = new AgentSessions(host);
  onTestFinished(() => sessions.close());
  sessions.watch(listener as unknown as IdeListener);
  return { root, host, events, sessions, listener, session: session as never };
}

test("an agent is listed with the name of its connection and its observed mode", async () => {
  const { root, host, events, sessions, session } = await openSessions();
  sessions.nameNext("c4");
  events.emit("connected", session);
  expect(sessions.facts).toEqual([
    {
      ...{ name: "claude-code", title: "Claude Code", version: "2", pid: 7, session: "c4" },
      ...{ state: "ready", mode: "unknown", diffs: [] },
    },
  ]);
  let changes = 0;
  sessions.onchange(() => {
    changes += 1;
  });
  const path = join(root, "a.md") as PosixPath;
  const request = { id: "d1" as never, session: "s1" as never, path, oldPath: path };
  const rest = { proposed: "x\n", title: "a", outsideWorkspace: false };
  void host.openDiff?.({ ...request, ...rest }, new AbortController().signal);
  await expect.poll(() => sessions.facts[0]).toMatchObject({ mode: "asks", diffs: ["d1"] });
  events.emit("unreviewed", session, { paths: [path], isCertain: true });
  await expect.poll(() => changes).toBe(2);
  expect(sessions.facts[0]?.mode).toBe("writes");
});

test("the title of a session is listed, as it changes", async () => {
  const { events, sessions, listener, session } = await openSessions();
  const shown: unknown[] = [];
  sessions.onchange(() => shown.push(sessions.facts[0]?.sessionTitle));
  const copilot = { id: "s1", agent: { name: "copilot-cli", version: "1" }, ready: true };
  for (const title of ["Plant peas", "Harvest"]) {
    listener.sessions = new Set([{ ...copilot, title }]);
    events.emit("identified", session);
    await expect.poll(() => shown.at(-1)).toBe(title);
  }
});

test("opencode is listed as reviewed while its review client is connected, and that client is not listed", async () => {
  const { root, host, sessions, listener } = await openSessions();
  const opencode = { id: "s2", agent: { name: "opencode", version: "0.0.0" }, ready: true };
  const reviews = { id: "s3", agent: { name: "opencode-reviews", version: "1" }, ready: true };
  listener.sessions = new Set([opencode]);
  expect(sessions.facts).toMatchObject([{ title: "opencode", mode: "no-diffs" }]);
  listener.sessions = new Set([opencode, reviews]);
  expect(sessions.facts).toMatchObject([{ title: "opencode", mode: "asks", diffs: [] }]);
  const path = join(root, "a.md") as PosixPath;
  const request = { id: "d1" as never, session: "s3" as never, path, oldPath: path };
  const rest = { proposed: "x\n", title: "a", outsideWorkspace: false };
  void host.openDiff?.({ ...request, ...rest }, new AbortController().signal);
  await expect.poll(() => sessions.facts[0]).toMatchObject({ title: "opencode", diffs: ["d1"] });
  expect(sessions.facts).toHaveLength(1);
});
