import { expect, test } from "vitest";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { settled } from "../../testing/raw-end.ts";
import type { Range } from "../../text/position.ts";
import type { Mention, Selection } from "../editor-host.ts";
import { defaultSharePolicy } from "../share-policy.ts";

const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 3 } };
const selection: Selection = {
  path: posixPath("/vault/a.txt"),
  ranges: [{ ...range, text: "one\ntwo" }],
  primary: 0,
};
const received = {
  jsonrpc: "2.0",
  method: "selection_changed",
  params: { selection: range, text: "one\ntwo", filePath: "/vault/a.txt" },
};
const start = { line: 0, character: 0 };
const cleared = {
  jsonrpc: "2.0",
  method: "selection_changed",
  params: { selection: { start, end: start }, text: "" },
};
const mention: Mention = { path: posixPath("/vault/a.txt"), lines: { start: 1, end: 2 } };
const mentioned = {
  jsonrpc: "2.0",
  method: "at_mentioned",
  params: { filePath: "/vault/a.txt", lineStart: 1, lineEnd: 2 },
};

function fixture(...args: Parameters<typeof ideFixture>) {
  const ide = ideFixture(...args);
  const agent = ide.connect();
  return { ...ide, agent };
}

test("the state is sent 300 ms after initialized, and nothing before", async () => {
  const { host, agent, clock } = fixture();
  host.setSelection(selection);
  await agent.shakeHands();
  clock.advance(299);
  expect(await agent.take()).toEqual([]);
  expect(agent.session.ready).toBe(false);
  clock.advance(1);
  expect(await agent.take()).toEqual([received]);
  expect(agent.session.ready).toBe(true);
});

test.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list"])(
  "each %s restarts the 300 ms",
  async (list) => {
    const { host, agent, clock } = fixture();
    host.setSelection(selection);
    await agent.shakeHands();
    clock.advance(200);
    agent.request(list);
    await agent.take();
    clock.advance(299);
    expect(await agent.take()).toEqual([]);
    clock.advance(1);
    expect(await agent.take()).toEqual([received]);
  },
);

test("before initialize nothing is sent, whatever happens in the editor", async () => {
  const { host, server, agent } = fixture();
  host.setSelection(selection);
  host.mention(mention);
  server.share = { ...defaultSharePolicy, level: "path" };
  expect(await agent.take()).toEqual([]);
});

test("ready is emitted before anything is sent to the agent", async () => {
  const { host, server, agent, clock } = fixture();
  host.setSelection(selection);
  const seen: unknown[] = [];
  server.events.on("ready", ({ id, ready }) => seen.push([id, ready, agent.wire.frames.length]));
  await agent.getReady();
  agent.request("tools/list");
  await agent.take();
  clock.advance(300);
  expect(seen).toEqual(Array(2).fill([agent.session.id, true, 0]));
});

test("without initialized nothing is ever sent", async () => {
  const { host, agent, clock } = fixture();
  host.setSelection(selection);
  agent.request("initialize", { protocolVersion: "2025-11-25" });
  agent.request("tools/list");
  await agent.take();
  clock.advance(60_000);
  host.setSelection(selection);
  host.mention(mention);
  expect(await agent.take()).toEqual([]);
});

test("changes before the agent is ready are sent once, as the newest state", async () => {
  const { host, agent, clock } = fixture();
  await agent.shakeHands();
  host.setSelection(undefined);
  host.setSelection({ ...selection, path: posixPath("/vault/old.txt") });
  host.setSelection(selection);
  clock.advance(300);
  expect(await agent.take()).toEqual([received]);
});

test("without a selection nothing is sent at first", async () => {
  const { agent } = fixture();
  expect(await agent.getReady()).toEqual([]);
});

test("once the agent is ready, each change is sent immediately", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  host.setSelection(selection);
  host.setSelection(selection);
  expect(await agent.take()).toEqual([received, received]);
});

test("a list request of a ready agent restarts the delay, and the newest state follows", async () => {
  const { host, agent, clock } = fixture();
  await agent.getReady();
  agent.request("tools/list");
  await agent.take();
  host.setSelection(selection);
  expect(await agent.take()).toEqual([]);
  clock.advance(300);
  expect(await agent.take()).toEqual([received]);
});

test("a selection that ends while the agent is not ready is cleared once it is", async () => {
  const { host, agent, clock } = fixture();
  host.setSelection(selection);
  await agent.getReady();
  agent.request("tools/list");
  await agent.take();
  host.setSelection(undefined);
  clock.advance(300);
  expect(await agent.take()).toEqual([cleared]);
});

test("after a reconnect the state is sent again", async () => {
  const { host, agent, connect } = fixture();
  host.setSelection(selection);
  await agent.getReady();
  agent.transport.close(1001);
  await settled();
  const again = connect();
  expect(await again.getReady()).toEqual([received]);
});

test("nothing selected is an empty range and no path: clearing, with no null in it", async () => {
  const { host, agent } = fixture();
  host.setSelection(selection);
  await agent.getReady();
  host.setSelection(undefined);
  expect(await agent.take()).toEqual([cleared]);
});

test("an agent without a known selection is not sent an empty one", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  host.setSelection(undefined);
  host.setSelection(undefined);
  expect(await agent.take()).toEqual([]);
  host.setSelection(selection);
  host.setSelection(undefined);
  host.setSelection(undefined);
  expect(await agent.take()).toEqual([received, cleared]);
});

test("a cursor is an empty text with its path and position", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  const cursor = { start: range.start, end: range.start, text: "" };
  host.setSelection({ ...selection, ranges: [cursor] });
  expect((await agent.take())[0]?.params).toEqual({
    selection: { start: range.start, end: range.start },
    text: "",
    filePath: "/vault/a.txt",
  });
});

test("losing the focus does not clear the latest selection", async () => {
  const { host, agent } = fixture();
  host.setSelection(selection);
  await agent.getReady();
  host.blur();
  expect(await agent.take()).toEqual([received]);
});

test("of several ranges the primary one is sent", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  const second = { start: { line: 9, character: 1 }, end: { line: 9, character: 2 }, text: "x" };
  host.setSelection({ ...selection, ranges: [...selection.ranges, second], primary: 1 });
  expect((await agent.take())[0]?.params).toEqual({
    selection: { start: second.start, end: second.end },
    text: "x",
    filePath: "/vault/a.txt",
  });
});

test("on Windows paths are native", async () => {
  const { host, agent } = fixture({ platform: "windows" });
  await agent.getReady();
  host.setSelection({ ...selection, path: posixPath("/c/Users/me/ä b.txt") });
  host.mention({ path: posixPath("/c/Users/me/a.txt") });
  expect(
    (await agent.take()).map(({ params }) => (params as { filePath: string }).filePath),
  ).toEqual(["C:\\Users\\me\\ä b.txt", "C:\\Users\\me\\a.txt"]);
});

test("mentions before the agent is ready are sent after the state, in order", async () => {
  const { host, agent, clock } = fixture();
  host.setSelection(selection);
  host.mention(mention);
  await agent.shakeHands();
  host.mention({ path: posixPath("/vault/b.txt") });
  expect(await agent.take()).toEqual([]);
  clock.advance(300);
  expect((await agent.take()).map(({ params }) => params)).toEqual([
    received.params,
    mentioned.params,
    { filePath: "/vault/b.txt" },
  ]);
  agent.request("tools/list");
  await agent.take();
  clock.advance(300);
  expect((await agent.take()).map(({ method }) => method)).toEqual(["selection_changed"]);
});

test("ide_connected sets the pid, and invalid ones are ignored", async () => {
  const { agent } = fixture();
  for (const params of [undefined, {}, { pid: "1" }, { pid: null }]) {
    agent.wire.notify("ide_connected", params);
  }
  await agent.getReady();
  expect(agent.session.pid).toBe(undefined);
  agent.wire.notify("ide_connected", { pid: 4711 });
  expect(await agent.take()).toEqual([]);
  expect(agent.session.pid).toBe(4711);
});

test("each fact that an agent sends about itself is emitted, and replaces only one of its kind", () => {
  const { server, connect } = ideFixture();
  const seen: unknown[] = [];
  server.events.on("identified", ({ pid, title }) => seen.push([pid, title]));
  connect();
  const [session] = server.sessions;
  session?.identify({ pid: 7 });
  session?.identify({ title: "Fix the tests" });
  expect(seen).toEqual([
    [7, undefined],
    [7, "Fix the tests"],
  ]);
});

test("the session has the agent's name and version after initialize", async () => {
  const { agent } = fixture();
  expect(agent.session.agent).toBe(undefined);
  await agent.shakeHands();
  expect(agent.session.agent).toEqual({ name: "claude-code", version: "2.1.330" });
});

test("no timer of a session outlives it", async () => {
  const { agent, clock, server } = fixture();
  await agent.shakeHands();
  expect(clock.waiting).toBe(1);
  agent.transport.close();
  await settled();
  expect(clock.waiting).toBe(0);
  expect(server.sessions.size).toBe(0);
});

/** The same range, one line further down. */
function below({ start, end }: Range): Range {
  const [first, last] = [start.line + 1, end.line + 1];
  return { start: { ...start, line: first }, end: { ...end, line: last } };
}

test("opencode is sent several ranges in its own shape, a single one in Claude's, with lines from 1", async () => {
  const { host, agent } = fixture();
  await agent.getReady("opencode");
  host.setSelection(selection);
  const second = { start: { line: 9, character: 1 }, end: { line: 9, character: 2 }, text: "x" };
  host.setSelection({ ...selection, ranges: [...selection.ranges, second], primary: 1 });
  expect((await agent.take()).map(({ params }) => params)).toEqual([
    { ...received.params, selection: below(range) },
    {
      filePath: "/vault/a.txt",
      ranges: [
        { text: "one\ntwo", selection: below(range) },
        { text: "x", selection: below(second) },
      ],
    },
  ]);
});

test("opencode is cleared by an empty path, since it ignores notifications without one", async () => {
  const { host, agent } = fixture();
  host.setSelection(selection);
  await agent.getReady("opencode");
  host.setSelection(undefined);
  expect((await agent.take())[0]?.params).toEqual({ ...cleared.params, filePath: "" });
});
