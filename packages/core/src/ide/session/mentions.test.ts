import { expect, test } from "vitest";
import { McpClient } from "../../mcp/client/client.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import type { Dialect } from "../dialect.ts";
import { claudeCode } from "../dialects/claude-code.ts";
import { encodeMention } from "../dialects/claude-notifications.ts";
import type { Mention } from "../editor-host.ts";
import { defaultSharePolicy } from "../share-policy.ts";
import { IdeServer } from "./ide-server.ts";

const mention: Mention = { path: posixPath("/vault/a.txt"), lines: { start: 1, end: 2 } };
const mentioned = {
  jsonrpc: "2.0",
  method: "at_mentioned",
  params: { filePath: "/vault/a.txt", lineStart: 1, lineEnd: 2 },
};

function fixture(...args: Parameters<typeof ideFixture>) {
  const ide = ideFixture(...args);
  return { ...ide, agent: ide.connect() };
}

test("a mention of lines has first and last line, one of a whole file none", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  host.mention(mention);
  host.mention({ path: mention.path });
  expect(await agent.take()).toEqual([
    mentioned,
    { jsonrpc: "2.0", method: "at_mentioned", params: { filePath: "/vault/a.txt" } },
  ]);
});

test("a hundred mentions are kept until the agent is ready, and further ones dropped", async () => {
  const { host, agent } = fixture();
  for (let n = 0; n < 150; n += 1) host.mention({ ...mention, lines: { start: n, end: n } });
  const lines = (await agent.getReady()).map(
    ({ params }) => (params as { lineStart: number }).lineStart,
  );
  expect(lines).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test("a mention for one session is sent to no other", async () => {
  const { host, agent, connect } = fixture();
  const other = connect();
  await agent.getReady();
  await other.getReady();
  host.mention({ ...mention, session: other.session.id });
  expect(await agent.take()).toEqual([]);
  expect(await other.take()).toEqual([mentioned]);
});

test("a pending mention is not sent if its file is no longer shared", async () => {
  const { host, server, agent } = fixture();
  host.mention(mention);
  server.share = { ...defaultSharePolicy, level: "off" };
  expect(await agent.getReady()).toEqual([]);
});

test("the lines of a mention are counted from 1 for opencode, which reads the file by them", async () => {
  const { host, agent } = fixture();
  await agent.getReady("opencode");
  host.mention(mention);
  expect((await agent.take())[0]?.params).toMatchObject({ lineStart: 2, lineEnd: 3 });
});

test.each([
  ["one\ntwo\nthree", 3],
  ["one\ntwo\nthree\n", 3],
  ["one\r\ntwo\r\n", 2],
  ["", 1],
  ["\n", 1],
  ["\n\n", 2],
  ["one\rtwo\r", 2],
])(
  "a whole file is mentioned to opencode with its lines: %j ends on line %i",
  async (text, lineEnd) => {
    const { host, agent } = fixture();
    host.writeFile(mention.path, text);
    await agent.getReady("opencode");
    host.mention({ path: mention.path });
    expect((await agent.take())[0]?.params).toEqual({
      filePath: "/vault/a.txt",
      lineStart: 1,
      lineEnd,
    });
  },
);

test("an unreadable file is mentioned to opencode with its first line", async () => {
  const { host, agent } = fixture();
  await agent.getReady("opencode");
  host.mention({ path: posixPath("/vault/image.png") });
  expect((await agent.take())[0]?.params).toEqual({
    filePath: "/vault/image.png",
    lineStart: 1,
    lineEnd: 1,
  });
});

test.each([
  ["LF", "a line\n", 9_000_000],
  ["CRLF", "a line\r\n", 7_875_000],
  ["empty lines", "\n", 63_000_000],
])("a mention of a file of 63 MB (%s) delays nobody else", async (_, line, count) => {
  const host = fakeEditorHost();
  host.writeFile(mention.path, line.repeat(count));
  const server = new IdeServer({ host, dialect: claudeCode });
  const [near, far] = createMemoryTransportPair();
  server.open(far);
  const mentions: unknown[] = [];
  const agent = await McpClient.connect(near, {
    ...{ name: "opencode", version: "1", era: "legacy" },
    onnotification: (method, params) => method === "at_mentioned" && mentions.push(params),
  });
  await expect.poll(() => [...server.sessions][0]?.ready).toBe(true);
  let [last, longest] = [performance.now(), 0];
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  host.mention({ path: mention.path });
  await expect
    .poll(() => mentions)
    .toEqual([{ filePath: "/vault/a.txt", lineStart: 1, lineEnd: count }]);
  clearInterval(beat);
  await agent.close();
  expect(longest).toBeLessThan(1_000);
});

test("mentions keep their order even if a file has to be read first", async () => {
  const { host, agent } = fixture();
  host.writeFile(mention.path, "one\ntwo");
  await agent.getReady("opencode");
  host.mention({ path: mention.path });
  host.mention({ ...mention, lines: { start: 7, end: 8 } });
  const lines = (await agent.take()).map(({ params }) => (params as { lineEnd: number }).lineEnd);
  expect(lines).toEqual([2, 9]);
});

test("a mention that a dialect cannot encode is reported, and the next one is sent", async () => {
  const dialect: Dialect = {
    ...claudeCode,
    mentions: {
      needLines: () => false,
      encode(spelled, { platform }) {
        if (spelled.lines === undefined) throw new Error("no lines");
        return encodeMention(spelled, { platform, clientKind: "" });
      },
    },
  };
  const { host, agent, errors } = fixture({ dialect });
  await agent.getReady();
  host.mention({ path: mention.path });
  host.mention(mention);
  expect(await agent.take()).toEqual([mentioned]);
  expect(errors.map(({ message }) => message)).toEqual(["no lines"]);
});

test("a host whose read throws does not prevent later mentions", async () => {
  const throwing = fakeEditorHost({
    read: () => {
      throw new Error("broken");
    },
  });
  const { host, agent } = fixture({}, throwing);
  await agent.getReady("opencode");
  host.mention({ path: mention.path });
  host.mention(mention);
  expect((await agent.take()).length).toBe(2);
});
