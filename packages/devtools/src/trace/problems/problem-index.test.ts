import { expect, test } from "vitest";
import type { TraceEvent, TraceFact } from "../format/trace-event.ts";
import { type Problem, type ProblemCode, problemRules } from "./problem.ts";
import { ProblemIndex } from "./problem-index.ts";

const ch = "c1";
const sent = (dir: "agent>ide" | "ide>agent", raw: unknown): TraceFact => ({
  ...{ ev: "frame", ch, dir },
  raw: typeof raw === "string" ? raw : JSON.stringify(raw),
});
const agent = (message: object): TraceFact => sent("agent>ide", { jsonrpc: "2.0", ...message });
const ide = (message: object): TraceFact => sent("ide>agent", { jsonrpc: "2.0", ...message });
const clientInfo = { name: "agent", version: "1" };
const opened: TraceFact = { ev: "open", ch };
const hello = agent({
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
});
const welcome = (protocolVersion: string): TraceFact =>
  ide({
    id: 0,
    result: { protocolVersion, capabilities: {}, serverInfo: { name: "ide", version: "1" } },
  });
const initialized = (version = "2025-11-25"): TraceFact[] => [
  ...[opened, hello, welcome(version)],
  agent({ method: "notifications/initialized" }),
];
const call = (name: string, args: object = {}): TraceFact =>
  agent({ id: 1, method: "tools/call", params: { name, arguments: args } });
const answer = (...texts: string[]): TraceFact =>
  ide({ id: 1, result: { content: texts.map((text) => ({ type: "text", text })) } });
const start = { line: 0, character: 0 };
const selection = { start, end: start };
const diff = {
  ...{ old_file_path: "/a", new_file_path: "/a", new_file_contents: "", tab_name: "a" },
};

function problemsOf(facts: readonly TraceFact[]): readonly (readonly Problem[])[] {
  const index = new ProblemIndex();
  const events = facts.map((fact, at): TraceEvent => ({ n: at + 1, t: at, ...fact }));
  for (const event of events) index.add(event);
  return events.map(({ n }) => index.of(n));
}

type Breaker = readonly [code: ProblemCode, pointer: string, facts: readonly TraceFact[]];

/** In each the last event breaks one rule, and only that. */
const breakers: readonly Breaker[] = [
  ["encoding.not-text", "", [{ ev: "frame", ch, dir: "ide>agent", raw: "AP8B", form: "binary" }]],
  ["encoding.not-json", "", [sent("agent>ide", '{"jsonrpc":"2.0",}')]],
  [
    "encoding.byte-order-mark",
    "",
    [sent("agent>ide", '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}')],
  ],
  [
    "encoding.lone-surrogate",
    "/params/a~1b/0",
    [sent("agent>ide", '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a/b":["\\ud83d"]}}')],
  ],
  ["rpc.not-a-message", "", [sent("agent>ide", "17")]],
  ["rpc.version", "/jsonrpc", [agent({ jsonrpc: "1.0", id: 1, method: "ping" })]],
  ["rpc.method", "/method", [agent({ id: 1, method: 7 })]],
  ["rpc.id", "/id", [agent({ id: null, method: "ping" })]],
  ["rpc.id", "/id", [agent({ id: 1.5, method: "ping" })]],
  ["rpc.params", "/params", [agent({ id: 1, method: "ping", params: [1] })]],
  [
    "rpc.result-and-error",
    "/error",
    [agent({ id: 1, method: "ping" }), ide({ id: 1, result: {}, error: { code: 1, message: "" } })],
  ],
  ["rpc.neither", "", [agent({ id: 1 })]],
  [
    "rpc.error",
    "/error/code",
    [agent({ id: 1, method: "ping" }), ide({ id: 1, error: { code: "x", message: "" } })],
  ],
  [
    "mcp.batch",
    "",
    [...initialized(), sent("agent>ide", [{ jsonrpc: "2.0", id: 1, method: "ping" }])],
  ],
  ["mcp.sender", "/method", [...initialized(), ide({ id: 1, method: "tools/list" })]],
  ["mcp.kind", "/method", [...initialized(), agent({ method: "tools/list" })]],
  ["mcp.params", "/params/name", [...initialized(), agent({ id: 1, method: "tools/call" })]],
  [
    "mcp.result",
    "/result/tools/0/inputSchema/type",
    [
      ...initialized(),
      agent({ id: 1, method: "tools/list" }),
      ide({ id: 1, result: { tools: [{ name: "a", inputSchema: {} }] } }),
    ],
  ],
  [
    "mcp.later-revision",
    "/result/content/0",
    [
      ...initialized("2024-11-05"),
      call("mine"),
      ide({ id: 1, result: { content: [{ type: "audio", data: "", mimeType: "a/b" }] } }),
    ],
  ],
  [
    "mcp.later-revision",
    "/method",
    [
      ...initialized("2025-03-26"),
      ide({ id: 1, method: "elicitation/create", params: { message: "" } }),
    ],
  ],
  ["mcp.revision", "/result/protocolVersion", [opened, hello, welcome("1999-01-01")]],
  [
    "dialect.sender",
    "/method",
    [...initialized(), ide({ method: "ide_connected", params: { pid: 1 } })],
  ],
  [
    "dialect.params",
    "/params/filePath",
    [
      ...initialized(),
      ide({ method: "selection_changed", params: { selection, text: "", filePath: null } }),
    ],
  ],
  [
    "dialect.params",
    "/params/lineStart",
    [...initialized(), ide({ method: "at_mentioned", params: { filePath: "/a", lineStart: "1" } })],
  ],
  [
    "dialect.params",
    "/params/diagnostics/0/severity",
    [
      ...initialized(),
      ide({
        method: "diagnostics_changed",
        params: { uri: "a", diagnostics: [{ message: "", severity: "ERROR", range: selection }] },
      }),
    ],
  ],
  [
    "dialect.params",
    "/params/pid",
    [...initialized(), agent({ method: "ide_connected", params: {} })],
  ],
  [
    "dialect.prefix",
    "/method",
    [...initialized(), ide({ method: "notifications/selection_changed" })],
  ],
  [
    "dialect.arguments",
    "/params/arguments/tab_name",
    [...initialized(), call("openDiff", { ...diff, tab_name: undefined })],
  ],
  [
    "dialect.result",
    "/result/content/0/text",
    [...initialized(), call("openDiff", diff), answer("OK")],
  ],
  [
    "dialect.result",
    "/result/content/1",
    [...initialized(), call("openDiff", diff), answer("FILE_SAVED")],
  ],
  [
    "dialect.result",
    "/result/content/0/text",
    [...initialized(), call("getDiagnostics"), answer("[{}")],
  ],
  ["state.before-initialize", "/method", [opened, agent({ id: 1, method: "tools/list" })]],
  [
    "state.before-initialized",
    "/method",
    [
      opened,
      hello,
      welcome("2025-11-25"),
      ide({ method: "at_mentioned", params: { filePath: "/a" } }),
    ],
  ],
  ["state.second-initialize", "/method", [...initialized(), { ...hello }]],
  ["state.duplicate-id", "/id", [...initialized(), call("mine"), agent({ id: 1, method: "ping" })]],
  ["state.unknown-answer", "/id", [...initialized(), ide({ id: 9, result: {} })]],
  [
    "state.after-close",
    "",
    [
      ...initialized(),
      { ev: "close", ch, code: 1000, reason: "" },
      agent({ id: 1, method: "ping" }),
    ],
  ],
];

test.each(breakers)("%s at %s is found, and nothing else", (code, pointer, facts) => {
  const found = problemsOf(facts);
  const last = found.at(-1) ?? [];
  const others = found.slice(0, -1).flat();
  expect(others).toEqual([]);
  expect(last.map((one) => [one.code, one.pointer])).toEqual([[code, pointer]]);
  for (const one of last) {
    expect(one.layer).toBe(code.split(".")[0]);
    for (const words of [one.expected, one.got, one.rule, one.source]) expect(words).not.toBe("");
  }
});

test("every rule has a frame that breaks it", () => {
  const broken = new Set(breakers.map(([code]) => code));
  expect([...broken].sort()).toEqual(Object.keys(problemRules).sort());
});

test("a text that is not JSON is reported with its line and column", () => {
  const [[found] = []] = problemsOf([sent("agent>ide", '{\n  "a": 1,\n  b')]);
  expect(found?.got).toBe('"b" at line 3, column 3');
  const [[cut] = []] = problemsOf([sent("agent>ide", '{"a":[1')]);
  expect(cut?.got).toBe("the end of the text at line 1, column 8");
});

test("a batch is valid in revision 2025-03-26, and each of its messages is checked", () => {
  const pings = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  expect(problemsOf([...initialized("2025-03-26"), sent("agent>ide", pings)]).flat()).toEqual([]);
  const wrong = [...pings, { jsonrpc: "2.0", id: 3, method: 4 }];
  const found = problemsOf([...initialized("2025-03-26"), sent("agent>ide", wrong)]).flat();
  expect(found.map(({ code, pointer }) => [code, pointer])).toEqual([["rpc.method", "/2/method"]]);
});

test("a connection without its beginning is assumed to have completed its handshake", () => {
  const event = ide({ method: "at_mentioned", params: { filePath: "/a" } });
  expect(problemsOf([call("getDiagnostics"), answer("[]"), event]).flat()).toEqual([]);
});

test("dropped events take no memory", () => {
  const index = new ProblemIndex();
  for (const n of [1, 2, 3]) index.add({ n, t: 0, ...sent("agent>ide", "x") } as TraceEvent);
  index.drop(3);
  expect([index.frames, index.of(1), index.layersOf(3)]).toEqual([1, [], ["encoding"]]);
});

test("a message that answers or follows dropped events is not a problem", () => {
  const index = new ProblemIndex();
  const facts = [opened, ide({ id: 9, result: {} }), agent({ id: 10, method: "tools/list" })];
  // The events with the numbers in between were dropped under load.
  for (const [at, fact] of facts.entries()) index.add({ n: 1 + 10 * at, t: at, ...fact });
  expect(index.frames).toBe(0);
});
