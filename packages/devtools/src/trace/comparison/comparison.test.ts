import { expect, test } from "vitest";
import type { TraceEvent, TraceFact } from "../format/trace-event.ts";
import { compareSessions } from "./compare-sessions.ts";
import type { ComparedMessages, RecordedSession } from "./model.ts";
import { readSessions } from "./read-sessions.ts";
import { showChange } from "./show-change.ts";

const agent = (message: object): TraceFact => frame("agent>ide", message);
const editor = (message: object): TraceFact => frame("ide>agent", message);

function frame(dir: "agent>ide" | "ide>agent", message: object): TraceFact {
  return { ev: "frame", ch: "c1", dir, raw: JSON.stringify({ jsonrpc: "2.0", ...message }) };
}

function call(id: number, name: string, args: object = {}): TraceFact {
  return agent({ id, method: "tools/call", params: { name, arguments: args } });
}

function answer(id: number, ...texts: readonly string[]): TraceFact {
  return editor({ id, result: { content: texts.map((text) => ({ type: "text", text })) } });
}

function session(...facts: readonly TraceFact[]): RecordedSession {
  const events = facts.map((fact, at): TraceEvent => ({ n: at + 1, t: at, ...fact }));
  const [first] = readSessions(events);
  if (first === undefined) throw new Error("no session");
  return first;
}

function handshake(name: string, { revision = "2025-06-18", tools = ["openDiff"] } = {}) {
  const schema = { type: "object", properties: { id: { type: "string" } } };
  return [
    agent({
      id: 1,
      method: "initialize",
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name, version: "1" } },
    }),
    editor({ id: 1, result: { protocolVersion: revision, serverInfo: { name: "ide" } } }),
    agent({ id: 2, method: "tools/list" }),
    editor({
      id: 2,
      result: { tools: tools.map((tool) => ({ name: tool, inputSchema: schema })) },
    }),
  ];
}

const kinds = (messages: readonly ComparedMessages[]) =>
  messages.map((one) => `${one.kind} ${"a" in one ? one.a.tool : one.b.tool}`);

test("sessions that differ only in ids, times, process ids, tokens and pings are equal", () => {
  const a = session(
    ...handshake("x"),
    agent({ method: "ide_connected", params: { pid: 11 } }),
    call(7, "openDiff", { tab_name: "a.md (0a1b2c)", at: "2026-01-01T00:00:00Z" }),
    answer(7, "DIFF_REJECTED"),
  );
  const b = session(
    ...handshake("x"),
    agent({ id: "p", method: "ping" }),
    agent({ method: "ide_connected", params: { pid: 12 } }),
    call(9, "openDiff", { tab_name: "a.md (ffffff)", at: "2026-02-02T10:11:12.5Z" }),
    editor({ id: "p", result: {} }),
    answer(9, "DIFF_REJECTED"),
  );
  expect(compareSessions(a, b)).toMatchObject({ same: true, handshake: [], lists: [] });
});

test("a difference in the handshake names the end that sent it", () => {
  const a = session(...handshake("claude-code"));
  const b = session(...handshake("opencode", { revision: "2024-11-05" }));
  expect(compareSessions(a, b).handshake).toEqual([
    { who: "agent", path: "/protocolVersion", a: "2025-06-18", b: "2024-11-05" },
    { who: "agent", path: "/clientInfo/name", a: "claude-code", b: "opencode" },
    { who: "editor", path: "/protocolVersion", a: "2025-06-18", b: "2024-11-05" },
  ]);
});

test("tools are compared by name: added, removed, and changed in their schema", () => {
  const a = session(...handshake("x", { tools: ["openDiff", "executeCode"] }));
  const other = { name: "openDiff", inputSchema: { type: "object", properties: {} } };
  const b = session(
    ...handshake("x").slice(0, 3),
    editor({ id: 2, result: { tools: [{ name: "getDiagnostics" }, other] } }),
  );
  expect(compareSessions(a, b).lists).toEqual([
    {
      what: "tools",
      onlyA: ["executeCode"],
      onlyB: ["getDiagnostics"],
      changed: [
        {
          name: "openDiff",
          changes: [{ path: "/inputSchema/properties/id", a: { type: "string" } }],
        },
      ],
    },
  ]);
});

test("tools that one agent never listed are reported as one missing list", () => {
  const [a, b] = [session(...handshake("x")), session(...handshake("x").slice(0, 2))];
  expect(compareSessions(a, b).lists).toMatchObject([{ what: "tools", missing: "b" }]);
  expect(compareSessions(b, a).lists).toMatchObject([{ what: "tools", missing: "a" }]);
});

test("a missing call does not shift the later ones", () => {
  const calls = ["one", "two", "three"].map((text, at) => call(at, "openFile", { text }));
  const { messages } = compareSessions(session(...calls), session(...calls.slice(1)));
  expect(messages.map(({ kind }) => kind)).toEqual(["only-a", "same", "same"]);
});

test("a difference between answers names the member, even in JSON inside a string", () => {
  const diagnostics = (message: string) => JSON.stringify([{ uri: "file:///a", found: [message] }]);
  const a = session(call(1, "getDiagnostics"), answer(1, diagnostics("old")));
  const b = session(call(1, "getDiagnostics"), answer(1, diagnostics("new")));
  const [only] = compareSessions(a, b).messages;
  expect(only).toMatchObject({
    kind: "changed",
    changes: [{ path: "/result/content/0/text/0/found/0", a: "old", b: "new" }],
  });
});

test("a request refused by one editor and left open by another is a difference", () => {
  const refused = editor({ id: 1, error: { code: -32601, message: "Method not found" } });
  const [only] = compareSessions(session(call(1, "x"), refused), session(call(1, "x"))).messages;
  expect(only).toMatchObject({
    changes: [
      { path: "/error", a: { code: -32601 } },
      { path: "/unanswered", b: true },
    ],
  });
});

test("the order of the ends does not matter, the order of one end's messages does", () => {
  const hello = agent({ method: "notifications/initialized" });
  const selected = editor({ method: "selection_changed", params: { text: "x" } });
  expect(compareSessions(session(hello, selected), session(selected, hello)).same).toBe(true);
  const [one, two] = [call(1, "openFile"), call(2, "close_tab")] as const;
  const { messages } = compareSessions(session(one, two), session(two, one));
  expect(kinds(messages)).toEqual(["only-a openFile", "same close_tab", "only-b openFile"]);
});

test("paths are compared relative to the workspace", () => {
  const open = (path: string) =>
    session(call(1, "openFile", { filePath: path, text: `in ${path}` }));
  expect(compareSessions(open("/home/a/p/x.md"), open("/tmp/q/x.md")).same).toBe(true);
  const [a, b] = [open("/home/a/p/x.md"), open("/tmp/q/y.md")];
  expect(compareSessions(a, b).messages[0]).toMatchObject({ kind: "changed" });
  const folders = ["/home/a", "/tmp"] as const;
  expect(compareSessions(open("/home/a/x"), open("/tmp/x"), { folders }).same).toBe(true);
});

test("frames that are not messages are compared verbatim, and lost ones are omitted", () => {
  const broken: TraceFact = { ev: "frame", ch: "c1", dir: "agent>ide", raw: "not json" };
  const { messages } = compareSessions(session(broken), session({ ...broken, raw: "nor this" }));
  expect(messages).toMatchObject([{ kind: "changed", changes: [{ path: "/params" }] }]);
  expect(session({ ...broken, lost: true }).messages).toEqual([]);
});

test("the connections of a trace are separate sessions", () => {
  const events = [...handshake("x"), ...handshake("y").map((fact) => ({ ...fact, ch: "c2" }))].map(
    (fact, at) => ({ n: at + 1, t: at, ...fact }) as TraceEvent,
  );
  expect(readSessions(events).map(({ ch, agent: name }) => [ch, name])).toEqual([
    ["c1", "x 1"],
    ["c2", "y 1"],
  ]);
});

test("members with inherited names are compared like any other", () => {
  const sessionWithParams = (raw: string): RecordedSession =>
    session({ ev: "frame", ch: "c1", dir: "agent>ide", raw: `{"method":"m","params":${raw}}` });
  const [only] = compareSessions(
    sessionWithParams('{"__proto__":1,"constructor":2}'),
    sessionWithParams('{"__proto__":3,"toString":4}'),
  ).messages;
  expect(only).toMatchObject({
    changes: [
      { path: "/params/__proto__", a: 1, b: 3 },
      { path: "/params/constructor", a: 2 },
      { path: "/params/toString", b: 4 },
    ],
  });
});

test("two long sessions without a common message are compared in less than a second", () => {
  const long = (from: number) =>
    session(
      ...Array.from({ length: 20_000 }, (_, at) => agent({ method: "m", params: [at + from] })),
    );
  const [a, b] = [long(0), long(1e6)];
  const before = process.cpuUsage();
  expect(compareSessions(a, b).messages).toHaveLength(20_000);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
});

test("a long text is shown around its difference", () => {
  const text = "x".repeat(500);
  const shown = showChange({ path: "/p", a: `${text}1${text}`, b: `${text}2${text}` }, 40);
  expect(shown.a).toBe(`…${"x".repeat(20)}1${"x".repeat(19)}…`);
  expect(showChange({ path: "", b: 1 }, 40)).toEqual({ path: "/", b: "1" });
});

test("numbers beyond 2^53 are compared and shown by their digits", () => {
  const holds = (digits: string) =>
    session(...handshake("a"), {
      ...{ ev: "frame", ch: "c1", dir: "agent>ide" },
      raw: `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"n":${digits}}}}`,
    });
  const before = holds("9007199254740992");
  expect(compareSessions(before, holds("9007199254740992")).same).toBe(true);
  const { messages } = compareSessions(before, holds("9007199254740993"));
  const changes = messages.flatMap((one) => ("changes" in one ? one.changes : []));
  expect(changes.map((change) => showChange(change, 80))).toEqual([
    { path: "/params/arguments/n", a: "9007199254740992", b: "9007199254740993" },
  ]);
});

test("differences between tools are breaking, compatible or text, as for a baseline", () => {
  const list = (...tools: readonly object[]) =>
    session(agent({ id: 2, method: "tools/list" }), editor({ id: 2, result: { tools } }));
  const inputSchema = { type: "object", properties: {} };
  const a = list({ name: "a", inputSchema }, { name: "b", inputSchema }, { name: "c" });
  const b = list(
    { name: "a", inputSchema: { ...inputSchema, required: ["x"] } },
    { name: "b", inputSchema, description: "Adds" },
    { name: "c" },
    { name: "d" },
  );
  expect(compareSessions(a, b).surface).toEqual([
    { kind: "breaking", what: "tool a", detail: "x was added and is required" },
    { kind: "compatible", what: "tool d", detail: "was added" },
    { kind: "text", what: "tool b", detail: "description has changed" },
  ]);
  expect(compareSessions(a, session(call(1, "a"))).surface).toEqual([]);
});
