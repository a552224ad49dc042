import { expect, test } from "vitest";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import type { Dialect } from "../dialect.ts";
import { claudeCode } from "../dialects/claude-code.ts";
import type { Selection } from "../editor-host.ts";
import { openIdeSession } from "./ide-server.ts";
import type { SentFact } from "./ide-session.ts";

const selection: Selection = {
  path: posixPath("/vault/a.txt"),
  ranges: [{ start: { line: 0, character: 0 }, end: { line: 0, character: 1 }, text: "x" }],
  primary: 0,
};

/** The dialect, with counters of how often a selection is encoded and serialised. */
function countingDialect() {
  const count = { encoded: 0, serialised: 0 };
  const dialect: Dialect = {
    ...claudeCode,
    encodeState(...args) {
      count.encoded += 1;
      const message = claudeCode.encodeState(...args);
      if (message === undefined) return undefined;
      const toJSON = () => {
        count.serialised += 1;
        return message.params;
      };
      return { method: message.method, params: { toJSON } };
    },
  };
  return { dialect, count };
}

test("one change for many agents is encoded and serialised once for each client kind", async () => {
  const { dialect, count } = countingDialect();
  const { host, connect } = ideFixture({ dialect });
  const agents = Array.from({ length: 20 }, () => connect());
  for (const [index, agent] of agents.entries()) {
    await agent.getReady(index % 2 === 0 ? "claude-code" : "opencode");
  }
  Object.assign(count, { encoded: 0, serialised: 0 });
  host.setSelection(selection);
  expect(count).toEqual({ encoded: 2, serialised: 2 });
  for (const agent of agents) {
    expect((await agent.take())[0]?.params).toMatchObject({ text: "x" });
  }
  host.setSelection(selection);
  expect(count).toEqual({ encoded: 4, serialised: 4 });
});

test("an agent that connects between two changes costs no more encoding", async () => {
  const { dialect, count } = countingDialect();
  const { host, connect } = ideFixture({ dialect });
  host.setSelection(selection);
  for (let n = 0; n < 3; n += 1) expect((await connect().getReady()).length).toBe(1);
  expect(count).toEqual({ encoded: 1, serialised: 1 });
});

test("a server without agents encodes nothing", () => {
  const { dialect, count } = countingDialect();
  const { host } = ideFixture({ dialect });
  host.setSelection(selection);
  expect(count.encoded).toBe(0);
});

test("the tools of the client and its model are listed, except those that the host lacks", async () => {
  const list = async (...args: Parameters<typeof fakeEditorHost>) => {
    const agent = ideFixture({}, fakeEditorHost(...args)).connect();
    await agent.shakeHands();
    agent.request("tools/list");
    const [answer] = await agent.take();
    return (answer as { result: { tools: { name: string }[] } }).result.tools.map(
      ({ name }) => name,
    );
  };
  const own = ["openDiff", "close_tab", "closeAllDiffTabs", "getDiagnostics"];
  expect(await list()).toEqual(expect.arrayContaining(own));
  const bare = await list({ openDiff: undefined, diagnostics: undefined });
  expect(bare).toEqual(expect.arrayContaining(["close_tab", "closeAllDiffTabs"]));
  expect(bare).not.toContain("openDiff");
  expect(bare).not.toContain("getDiagnostics");
});

test("the server has the editor's name, and tools as its only capability", async () => {
  const agent = ideFixture().connect();
  agent.request("initialize", { protocolVersion: "2025-11-25" });
  const [answer] = await agent.take();
  expect(answer?.result).toMatchObject({
    serverInfo: { name: "Fake Editor", version: "1.0.0" },
    capabilities: { tools: { listChanged: true } },
  });
  expect(
    Object.keys((answer?.result as { capabilities: object } | undefined)?.capabilities ?? {}),
  ).toEqual(["tools"]);
});

test("server/discover fails, so that no agent goes stateless", async () => {
  const agent = ideFixture().connect();
  agent.request("server/discover", {});
  expect((await agent.take())[0]?.error).toBeDefined();
  await agent.shakeHands();
  agent.request("server/discover", {});
  expect((await agent.take())[0]?.error).toMatchObject({ code: -32_601 });
});

test("connected, calls, initialized and disconnected are emitted in order", async () => {
  const { server, connect } = ideFixture();
  const seen: unknown[] = [];
  server.events.on("connected", (session) => seen.push(["connected", session.id]));
  server.events.on("initialized", ({ agent }) => seen.push(["initialized", agent?.name]));
  server.events.on("call", (_, { method, id }) => seen.push([method, id]));
  server.events.on("disconnected", (_, reason) => seen.push(["disconnected", reason]));
  const agent = connect();
  await agent.shakeHands();
  agent.request("nope");
  await agent.take();
  agent.transport.close(4001, "bye");
  await settled();
  expect(seen).toEqual([
    ["connected", agent.session.id],
    ["initialize", 0],
    ["notifications/initialized", undefined],
    ["initialized", "claude-code"],
    ["nope", 1],
    ["disconnected", { code: 4001, reason: "bye" }],
  ]);
});

test("session ids are never reused", async () => {
  const { connect } = ideFixture();
  const ids = new Set<string>();
  for (let n = 0; n < 20; n += 1) {
    const agent = connect();
    ids.add(agent.session.id);
    agent.transport.close();
    await settled();
  }
  expect(ids.size).toBe(20);
});

test("closing a server closes all sessions and their diffs, and ends its listeners", async () => {
  const { host, server, connect } = ideFixture();
  const agents = [connect(), connect()];
  for (const agent of agents) await agent.getReady();
  agents[0]?.start("openDiff", {
    old_file_path: "/vault/a",
    new_file_contents: "",
    tab_name: "t",
  });
  await settled();
  server.close(1001, "reloading");
  host.setSelection(selection);
  for (const agent of agents) {
    expect(await agent.take()).toEqual([]);
    expect(agent.wire.closeReason).toEqual({ code: 1001, reason: "reloading" });
  }
  expect(host.shownDiffs).toEqual([]);
  expect(host.callsOf("closeDiff").map(([, why]) => why)).toEqual(["session-gone"]);
  expect(server.sessions.size).toBe(0);
});

test("an agent that does not read does not affect the others, and gets the newest state later", async () => {
  const { host, connect } = ideFixture();
  const [stalled, reader] = [connect(), connect()];
  await stalled.getReady();
  await reader.getReady();
  stalled.transport.pauseReading(true);
  const text = "x".repeat(90_000);
  for (let n = 0; n < 200; n += 1) {
    const start = { line: n, character: 0 };
    host.setSelection({ ...selection, ranges: [{ start, end: start, text }] });
    if (n % 10 === 9) await settled();
  }
  expect((await reader.take()).length).toBe(200);
  stalled.transport.pauseReading(false);
  const got = await stalled.take();
  expect(got.length < 20).toBe(true);
  expect(got.at(-1)?.params).toMatchObject({ selection: { start: { line: 199 } } });
});

test("openIdeSession closes its server with the session", async () => {
  const host = fakeEditorHost();
  const [left, right] = createMemoryTransportPair();
  const clock = manualClock();
  const session = openIdeSession(left, host, claudeCode, { clock });
  const agent = new RawEnd(right);
  agent.request(0, "initialize", { protocolVersion: "2025-11-25" });
  agent.notify("notifications/initialized");
  await settled();
  clock.advance(300);
  expect(session.ready).toBe(true);
  right.close(4000);
  expect(await session.closed).toEqual({ code: 4000, reason: "" });
  await settled();
  host.setSelection(selection);
  expect(clock.waiting).toBe(0);
});

test("each notification of state is emitted as a fact with its frame, and nothing else is", async () => {
  const { host, server, connect } = ideFixture();
  const facts: SentFact[] = [];
  const frames: string[] = [];
  server.events.on("sent", (_, fact, frame) => {
    facts.push(fact);
    frames.push(frame);
  });
  const agent = connect();
  host.setSelection(selection);
  expect(frames).toEqual([]);
  await agent.getReady();
  const mention = { path: selection.path, lines: { start: 1, end: 2 } };
  host.mention(mention);
  await agent.take();
  expect(frames.map((frame) => JSON.parse(frame).params)).toEqual([
    expect.objectContaining({ filePath: "/vault/a.txt", text: "x" }),
    { filePath: "/vault/a.txt", lineStart: 1, lineEnd: 2 },
  ]);
  expect(facts).toEqual([
    { kind: "selection", ...selection },
    { kind: "mention", ...mention },
  ]);
  server.share = { ...server.share, level: "off" };
  host.mention({ path: selection.path });
  await agent.take();
  expect(facts.slice(2)).toEqual([{ kind: "cleared" }]);
  expect(frames.map((frame) => frame.includes("a.txt"))).toEqual([true, true, false]);
});
