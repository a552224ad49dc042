import { copilot, createIdeServer, gemini } from "@idewire/core";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { endpointOptionsOf } from "./endpoint-options.ts";
import { FetchHead, readFetchBody } from "./fetch-request.ts";
import { FetchResponder } from "./fetch-responder.ts";
import { HttpEndpoint } from "./http-endpoint.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpRefusal } from "./http-refusal.ts";

const url = "http://127.0.0.1/mcp";
const usual = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

/** An editor's server over HTTP, without a network. */
function open(
  limits: Partial<HttpLimits> = {},
  isRunning?: () => boolean | undefined,
  dialect = gemini,
) {
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath("/work"), name: "work" }];
  const ide = createIdeServer({ host, dialect, share: { level: "all" } });
  const live = { retryMs: 3_000, ...(isRunning !== undefined && { isRunning }) };
  const options = endpointOptionsOf<undefined>(ide.legacy, { limits }, live);
  const endpoint = new HttpEndpoint<undefined>(options);
  onTestFinished(() => {
    endpoint.close();
    ide.close();
  });
  const ask = async (init: RequestInit, principal = "") => {
    const request = new Request(url, init);
    const responder = new FetchResponder(request.signal);
    endpoint.answer({
      head: new FetchHead(request),
      responder,
      admission: { context: undefined, principal },
      readBody: (holder, done) =>
        readFetchBody(request, 1 << 24, holder).then(done, () => done(new HttpRefusal(400, "cut"))),
    });
    return responder.response;
  };
  const post = (message: object, headers: Record<string, string> = {}, principal = "") =>
    ask(
      {
        method: "POST",
        headers: { ...usual, ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      },
      principal,
    );
  const begin = async (principal = "") => {
    const clientInfo = { name: "streamable-http-client", version: "0.61.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const answer = await post({ id: 1, method: "initialize", params }, {}, principal);
    const session = { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
    await post({ method: "notifications/initialized" }, session, principal);
    await post({ id: 2, method: "tools/list" }, session, principal);
    return session;
  };
  /** The frames of a stream up to the first that contains the text. */
  const listen = async (headers: Record<string, string>, text: string) => {
    const leaving = new AbortController();
    const accept = "text/event-stream";
    const { body, status } = await ask({ headers: { accept, ...headers }, signal: leaving.signal });
    if (body === null || status !== 200) return String(status);
    let all = "";
    for await (const piece of body) {
      all += new TextDecoder().decode(piece);
      if (all.includes(text)) break;
    }
    leaving.abort();
    return all;
  };
  const select = (text: string) => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 }, text };
    host.setSelection({ path: posixPath("/notes/a.md"), ranges: [range], primary: 0 });
  };
  return { host, ide, endpoint, post, begin, listen, select };
}

const ready = (ide: ReturnType<typeof open>["ide"]) =>
  expect.poll(() => [...ide.sessions].every(({ ready }) => ready)).toBe(true);

test("server/discover is refused by 400 and -32600, so that an agent falls back to initialize", async () => {
  const { post } = open();
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const answer = await post(
    { id: 1, method: "server/discover", params: { _meta: meta } },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" },
  );
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32600 } });
});

test("states wait for the stream, and the newest replaces earlier ones", async () => {
  const { begin, ide, select, listen } = open();
  const session = await begin();
  await ready(ide);
  for (const text of ["first", "second", "third"]) {
    select(text);
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  const stream = await listen(session, "third");
  expect(stream).not.toMatch(/first|second/);
});

test("a client that reopens its stream receives the unsent messages, even without Last-Event-ID", async () => {
  const { begin, ide, select, listen } = open();
  const session = await begin();
  await ready(ide);
  select("first");
  expect(await listen(session, "first")).toContain("first");
  select("second");
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(await listen(session, "second")).not.toContain("first");
});

test("a client with an unknown session id and a known revision continues under that id", async () => {
  const { post, listen, select, ide } = open();
  select("again");
  const session = { "mcp-session-id": "of-another-process", "mcp-protocol-version": "2025-11-25" };
  const stream = await listen({ ...session, "last-event-id": "g-41" }, "again");
  expect(stream).toContain("again");
  expect([...ide.sessions].map(({ agent }) => agent?.title)).toEqual(["Gemini CLI"]);
  const answer = await post({ id: 3, method: "tools/list" }, session);
  expect(await answer.json()).toMatchObject({ result: { tools: [{}, {}] } });
  expect(ide.sessions.size).toBe(1);
});

test.each([
  ["malformed", { "mcp-session-id": "a b" }, ""],
  ["of an unknown revision", { "mcp-session-id": "x", "mcp-protocol-version": "2099-01-01" }, ""],
  ["another principal's", undefined, "other"],
])("an unknown id that is %s starts no session", async (_, headers, principal) => {
  const { post, begin, ide } = open();
  const session = await begin();
  const answer = await post({ id: 3, method: "tools/list" }, headers ?? session, principal);
  expect(answer.status).toBe(404);
  expect(ide.sessions.size).toBe(1);
});

test("a stream that is opened twice continues on the newer one", async () => {
  const { begin, ide, select, listen } = open();
  const session = await begin();
  await ready(ide);
  const older = listen(session, "never");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const newer = listen(session, "selected");
  expect(await older).not.toContain("selected");
  select("selected");
  expect(await newer).toContain("selected");
  expect(ide.sessions.size).toBe(1);
});

test("an initialize that is refused leaves no session", async () => {
  const { post, ide } = open();
  await post({ id: 1, method: "initialize", params: {} });
  await post({ id: 1, method: "initialize", params: { protocolVersion: 5 } });
  expect(ide.sessions.size).toBe(0);
});

test("a session ends some time after its last stream and request, and its diffs with it", async () => {
  const { post, begin, ide, host } = open({ sessionIdleMs: 1_500, keepAliveMs: 50 });
  let reason = "";
  ide.events.on("disconnected", () => {
    reason = "gone";
  });
  const session = await begin();
  const args = { filePath: "/notes/a.md", newContent: "x" };
  await post(
    { id: 3, method: "tools/call", params: { name: "openDiff", arguments: args } },
    session,
  );
  expect(host.shownDiffs).toHaveLength(1);
  await expect.poll(() => reason).toBe("gone");
  await expect.poll(() => host.shownDiffs).toEqual([]);
});

test("a principal that initializes again has only its new session, and its old diffs close", async () => {
  const { post, begin, ide, host } = open();
  const first = await begin("a");
  const args = { filePath: "/notes/a.md", newContent: "x" };
  const params = { name: "openDiff", arguments: args };
  await post({ id: 3, method: "tools/call", params }, first, "a");
  expect(host.shownDiffs).toHaveLength(1);
  await begin("b");
  expect(ide.sessions.size).toBe(2);
  const again = await begin("a");
  expect(ide.sessions.size).toBe(2);
  await expect.poll(() => host.shownDiffs).toEqual([]);
  const list = { id: 4, method: "tools/list" };
  expect((await post(list, again, "a")).status).toBe(200);
});

test("a session lasts as long as the process of its client, even an idle one", async () => {
  let isRunning = true;
  const { begin, ide } = open({ sessionIdleMs: 200, keepAliveMs: 50 }, () => isRunning);
  await begin();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(ide.sessions.size).toBe(1);
  isRunning = false;
  await expect.poll(() => ide.sessions.size).toBe(0);
});

test("the outcome of a diff waits for the stream, beside the state", async () => {
  const { post, begin, ide, host, listen, select } = open();
  const session = await begin();
  await ready(ide);
  const args = { filePath: "/notes/a.md", newContent: "x" };
  const params = { name: "openDiff", arguments: args };
  const opened = await post({ id: 3, method: "tools/call", params }, session);
  expect(await opened.json()).toMatchObject({ result: { content: [] } });
  host.answerDiff(host.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "edited" });
  select("selected");
  await new Promise((resolve) => setTimeout(resolve, 80));
  const stream = await listen(session, "selected");
  expect(stream).toContain(
    '"ide/diffAccepted","params":{"filePath":"/notes/a.md","content":"edited"}',
  );
});

test.each([
  ["the id of its last event", { "last-event-id": "g-1" }],
  ["no id", {}],
])(
  "a client that reconnects after too many messages, with %s, receives the gap and the stored ones",
  async (_, headers) => {
    const { begin, ide, host, listen, select } = open({}, undefined, copilot);
    const session = await begin();
    await ready(ide);
    select("first");
    expect(await listen(session, "first")).toContain("id: g-1\n");
    for (let line = 0; line < 300; line += 1) {
      host.mention({ path: posixPath("/notes/a.md"), lines: { start: line, end: line } });
    }
    await new Promise((resolve) => setTimeout(resolve, 80));
    const stream = await listen({ ...session, ...headers }, '"line":299');
    const gap = 'event: gap\nid: g-45\ndata: {"missing":44}\n\nevent: message\nid: g-46\n';
    expect(stream.slice(0, gap.length)).toBe(gap);
    expect(stream.match(/id: g/g)).toHaveLength(257);
  },
);

test("an agent has a hundred diffs at most", async () => {
  const { post, begin, host } = open();
  const session = await begin();
  for (let number = 0; number <= 100; number += 1) {
    const args = { filePath: `/notes/${number}.md`, newContent: "x" };
    const params = { name: "openDiff", arguments: args };
    const answer = await post({ id: number + 3, method: "tools/call", params }, session);
    const { result } = (await answer.json()) as { result: { isError?: boolean } };
    expect(result.isError === true).toBe(number === 100);
  }
  expect(host.shownDiffs).toHaveLength(100);
});

test("an orderly shutdown first announces when to reconnect", async () => {
  const { begin, ide, endpoint, listen, select } = open();
  const session = await begin();
  await ready(ide);
  select("x");
  const stream = listen(session, "retry: 3000\n\n");
  await new Promise((resolve) => setTimeout(resolve, 100));
  endpoint.close();
  expect(await stream).toMatch(/retry: 3000\n\n$/);
});
