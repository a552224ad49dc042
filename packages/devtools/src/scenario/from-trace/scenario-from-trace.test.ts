import { expect, test } from "vitest";
import type { TraceEvent, TraceFact } from "../../trace/format/trace-event.ts";
import { scenarioFromTrace } from "./scenario-from-trace.ts";

const FILE = "/projects/space/notes.md";
const DIFF = {
  ...{ old_file_path: FILE, new_file_path: FILE },
  ...{ new_file_contents: "two\n", tab_name: "notes.md (0a1b2c)" },
};

type Line = readonly [t: number, fact: TraceFact];

function agent(t: number, message: object): Line {
  return [t, { ev: "frame", ch: "c1", dir: "agent>ide", raw: JSON.stringify(message) }];
}

function editor(t: number, message: object): Line {
  return [t, { ev: "frame", ch: "c1", dir: "ide>agent", raw: JSON.stringify(message) }];
}

function call(t: number, id: number, name: string, args: object): Line {
  return agent(t, { id, method: "tools/call", params: { name, arguments: args } });
}

function answer(t: number, id: number, ...texts: readonly string[]): Line {
  const content = texts.map((text) => ({ type: "text", text }));
  return editor(t, { id, result: { content } });
}

const open: Line = [0, { ev: "open", ch: "c1" }];
const initialized = agent(5, { method: "notifications/initialized" });

function make(...lines: readonly Line[]) {
  const events = lines.map(([t, fact], at): TraceEvent => ({ n: at + 1, t, ...fact }));
  const made = scenarioFromTrace({ header: {}, events }, { folder: "/projects/space" });
  if (!made.ok) throw new Error(made.issue);
  const steps = made.value.scenario.steps.map(({ step }) => step);
  const whys = made.value.omissions.map(({ line, why }) => `${line}: ${why}`);
  return { ...made.value, steps: steps.slice(0, -1), last: steps.at(-1), whys };
}

test("only recorded calls are allowed", () => {
  expect(make(open).last).toMatchObject({ expect: "no-call" });
});

test.each([
  ["accept", ["FILE_SAVED", "two\n"], "accepted"],
  ["accept-edited", ["FILE_SAVED", "three\n"], "accepted"],
  ["reject", ["DIFF_REJECTED"], "rejected"],
])("a diff that is answered by %s", (wanted, texts, outcome) => {
  const { steps } = make(open, call(10, 1, "openDiff", DIFF), answer(20, 1, ...texts));
  expect(steps.slice(1)).toEqual([
    expect.objectContaining({ expect: "call", tool: "openDiff" }),
    expect.objectContaining({ do: "diff", answer: wanted, path: "notes.md", times: 1 }),
    { expect: "diff", outcome, path: "notes.md" },
  ]);
});

test.each([
  ["comments on a rejected diff are in its answer", "Why?", { comments: "Why?" }],
  // Editors other than ours answer like this.
  ["the name of the tab is no comment", DIFF.tab_name, {}],
])("%s", (_, detail, comments) => {
  const { steps } = make(
    open,
    call(10, 1, "openDiff", DIFF),
    answer(20, 1, "DIFF_REJECTED", detail),
  );
  const rejected = { do: "diff", answer: "reject", path: "notes.md", times: 1, ...comments };
  expect(steps).toContainEqual(rejected);
});

test.each([
  ["closes", call(15, 2, "close_tab", { tab_name: DIFF.tab_name })],
  ["cancels", agent(15, { method: "notifications/cancelled", params: { requestId: 1 } })],
])("a diff that the agent %s is not answered", (_, line) => {
  const lines = [call(10, 1, "openDiff", DIFF), line, answer(20, 1, "DIFF_REJECTED")];
  expect(make(open, ...lines).steps.filter((step) => "do" in step)).toEqual([]);
});

test("paths and titles match those of another workspace and another numbering", () => {
  const { steps } = make(open, call(10, 1, "openDiff", DIFF), call(20, 2, "getDiagnostics", {}));
  expect(steps[1]).toMatchObject({
    arguments: {
      old_file_path: { $path: "notes.md" },
      tab_name: { $like: "notes.md (*)" },
      new_file_contents: "two\n",
    },
  });
  expect(steps[2]).toMatchObject({ arguments: { $exactly: {} } });
});

test("diagnostics that appear after an accepted diff appear once the file is written", () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const getDiagnostics = (t: number, id: number) =>
    call(t, id, "getDiagnostics", { uri: `file://${FILE}` });
  const found = { uri: `file://${FILE}`, diagnostics: [{ message: "m", severity: "Info", range }] };
  const { steps } = make(
    ...[open, getDiagnostics(10, 1), answer(11, 1, "[]"), call(12, 2, "openDiff", DIFF)],
    ...[
      answer(20, 2, "FILE_SAVED", "two\n"),
      getDiagnostics(30, 3),
      answer(31, 3, JSON.stringify([found])),
    ],
  );
  const acts = steps.filter((step) => "do" in step);
  expect(acts).toMatchObject([
    {
      ...{ do: "diagnostics", when: "written", path: "notes.md" },
      diagnostics: [{ message: "m", severity: "information", range }],
    },
    { do: "diff", answer: "accept" },
  ]);
});

test("a selection before the agent's connection is made before it connects", () => {
  const selection = { start: { line: 1, character: 2 }, end: { line: 1, character: 4 } };
  const params = { selection, text: "xy", filePath: FILE };
  const selected = (t: number) => editor(t, { method: "selection_changed", params });
  const early = make(open, initialized, selected(305));
  expect(early.steps.map((step) => Object.values(step)[0])).toEqual([
    ...["select", "connected", "initialized"],
  ]);
  expect(early.scenario.header.files).toEqual({ "notes.md": "\n  xy\n" });
  const late = make(open, initialized, selected(5_000)).steps;
  expect(late.map((step) => Object.values(step)[0])).toEqual([
    ...["connected", "initialized", "ready", "select"],
  ]);
});

test("pauses between actions are limited to a second, and a slow agent gets twice its time", () => {
  const mention = (t: number) => {
    return editor(t, { method: "at_mentioned", params: { filePath: FILE } });
  };
  const { steps } = make(open, mention(2_000), mention(9_000), call(19_000, 1, "x", {}));
  expect(steps.slice(1)).toMatchObject([
    ...[{ do: "mention" }, { do: "wait", ms: 1_000 }, { do: "mention" }],
    { expect: "call", withinMs: 20_000 },
  ]);
});

test("the recorded error of a tool is set before the tool is called", () => {
  const { steps } = make(
    ...[open, call(10, 1, "openFile", {})],
    editor(11, { id: 1, error: { code: -32000, message: "busy" } }),
  );
  expect(steps[0]).toEqual({
    ...{ do: "answerTool", tool: "openFile", times: 1 },
    error: { code: -32000, message: "busy" },
  });
});

test("what a scenario cannot express is listed with its line", () => {
  const { whys } = make(
    ...[open, [1, { ev: "open", ch: "c2" }] as const, agent(2, { id: 1, method: "ping" })],
    editor(3, { id: 9, method: "roots/list" }),
    editor(4, { method: "log_event", params: { file: FILE } }),
    [5, { ev: "frame", ch: "c1", dir: "agent>ide", raw: "{" }],
    call(6, 2, "openFile", { filePath: "/etc/hosts" }),
  );
  expect(whys).toEqual([
    "3: connection c2: another agent was connected at the time",
    "4: ping: left to the agent",
    "5: roots/list: a scenario sends no requests",
    "6: log_event: it names a path, which differs from run to run",
    "7: a frame that is not a JSON-RPC message",
    "8: a path outside the workspace: any text is accepted",
  ]);
});

test("tokens and home directories are removed", () => {
  const token = "Zx9Kq2Lm8Vn4Bt7Rw1Yc6Hd3Jf5Gs0PaUeIoZx9Kq2Lm8Vn4";
  const { text, redactions } = make(open, call(10, 1, "x", { text: `key ${token}` }));
  expect(text).not.toContain(token);
  expect(redactions).toMatchObject([{ what: "token", count: 1 }]);
});

test("a severity unknown to every dialect is omitted, whatever its name", () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const diagnostics = ["constructor", "Error"].map((severity) => ({
    message: "m",
    severity,
    range,
  }));
  const text = JSON.stringify([{ uri: `file://${FILE}`, diagnostics }]);
  const { steps, whys } = make(open, call(10, 1, "getDiagnostics", {}), answer(20, 1, text));
  expect(steps[0]).toMatchObject({ diagnostics: [{ severity: "error" }] });
  expect(whys).toContain("4: diagnostics: 1 have an unknown format");
});
