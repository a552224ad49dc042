import { expect, test } from "vitest";
import type { PosixPath } from "../../paths/posix-path.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import type { FileDiagnostics } from "../editor-host.ts";
import type { SharedState } from "../share-policy.ts";
import { copilot } from "./copilot.ts";

const FILE = posixPath("/w/a file.md");
const audience = { platform: "posix", clientKind: "" } as const;

function sentFor(selection: SharedState["selection"]) {
  const state = { selection, documents: [], trusted: true };
  return copilot.encodeState(state, audience);
}

function selected(character: number): SharedState["selection"] {
  const [start, end] = [
    { line: 1, character: 0 },
    { line: 1, character },
  ];
  return { path: FILE, ranges: [{ start, end, text: "x".repeat(character) }], primary: 0 };
}

test("a selection has its path, its URL and whether it is empty, counted from 0", () => {
  const [start, end] = [
    { line: 1, character: 0 },
    { line: 1, character: 2 },
  ];
  expect(sentFor(selected(2))).toEqual({
    method: "selection_changed",
    params: {
      text: "xx",
      filePath: "/w/a file.md",
      fileUrl: "file:///w/a%20file.md",
      selection: { start, end, isEmpty: false },
    },
  });
  expect(sentFor(selected(0))).toMatchObject({
    params: { text: "", selection: { isEmpty: true } },
  });
});

const nothing = {
  text: "",
  filePath: "",
  fileUrl: "",
  selection: {
    start: { line: 0, character: 0 },
    end: { line: 0, character: 0 },
    isEmpty: true,
  },
};

test("nothing selected is an empty range with every member, without which it is ignored", () => {
  expect(sentFor(undefined)?.params).toEqual(nothing);
  // A web page shown by the editor is not a file.
  const page = { path: "https://example.com/a" as typeof FILE, primary: 0 };
  expect(sentFor(page)?.params).toEqual(nothing);
});

test("if only the path is shared, nothing is selected in it", () => {
  expect(sentFor({ path: FILE, primary: 0 })?.params).toMatchObject({
    filePath: FILE,
    text: "",
    selection: { isEmpty: true },
  });
});

test("a mention is a file, or its lines", () => {
  const path = { filePath: "/w/a file.md", fileUrl: "file:///w/a%20file.md" };
  expect(copilot.mentions?.encode({ path: FILE }, audience)).toEqual({
    method: "add_file_reference",
    params: { ...path, selection: null, selectedText: null },
  });
  const lines = { start: 2, end: 4 };
  expect(copilot.mentions?.encode({ path: FILE, lines }, audience)).toEqual({
    method: "add_selection",
    params: {
      ...path,
      selection: { start: { line: 2, character: 0 }, end: { line: 4, character: 0 } },
      selectedText: null,
    },
  });
});

test("the headers of a request have its session and its process", () => {
  const headers = new Map([
    ["x-copilot-session-id", "s"],
    ["x-copilot-pid", "17"],
  ]);
  const read = () => copilot.endpoint.identify?.((name) => headers.get(name));
  expect(read()).toEqual({ session: "s", pid: 17 });
  for (const pid of ["0", "-1", "1e3", "x", "12345678901"]) {
    headers.set("x-copilot-pid", pid);
    expect(read()).toEqual({ session: "s" });
  }
  const sent = new Map(
    Object.entries(copilot.endpoint.introduce?.({ session: "t", pid: 9 }) ?? {}),
  );
  expect(copilot.endpoint.identify?.((name) => sent.get(name))).toEqual({ session: "t", pid: 9 });
});

const problem = {
  message: "odd",
  severity: "information",
  range: { start: { line: 0, character: 1 }, end: { line: 0, character: 2 } },
  source: "lint",
  code: 7,
} as const;

async function open(files: readonly FileDiagnostics[] = []) {
  const diagnostics = async (path?: PosixPath) =>
    files.filter((file) => path === undefined || file.path === path);
  const ide = ideFixture({ dialect: copilot }, fakeEditorHost({ diagnostics }));
  ide.host.folders = [{ path: posixPath("/w"), name: "w" }];
  const agent = ide.connect();
  await agent.getReady("copilot-cli");
  const call = async (name: string, args: object = {}): Promise<unknown> => {
    const { content } = await agent.call(name, args);
    const [item] = content;
    return item?.type === "text" ? (JSON.parse(item.text) as unknown) : undefined;
  };
  /** Proposes a text; returns a function that reads the answer to the call. */
  const propose = (tab = "tab") => {
    const args = { original_file_path: FILE, new_file_contents: "new", tab_name: tab };
    const id = agent.start("open_diff", args);
    return async () => {
      const answer = (await agent.take()).find((message) => message.id === id);
      const result = answer?.result as { content: [{ text: string }] } | undefined;
      return result && (JSON.parse(result.content[0].text) as unknown);
    };
  };
  return { ...ide, agent, call, propose };
}

test.each([
  [{ kind: "accepted", text: "new", edited: false }, "SAVED", "accepted_via_button"],
  [{ kind: "rejected" }, "REJECTED", "rejected_via_button"],
  [{ kind: "closed" }, "REJECTED", "closed_via_tool"],
  // The agent ignores an edited text, and would write its own, which the person has not accepted.
  [{ kind: "accepted", text: "mine", edited: true }, "REJECTED", "accepted_with_edits"],
] as const)("a diff that is %j is answered %s", async (outcome, result, trigger) => {
  const { host, agent, propose } = await open();
  const answer = propose();
  await agent.take();
  const [diff] = host.shownDiffs;
  expect(diff).toMatchObject({ path: FILE, oldPath: FILE, proposed: "new", title: "tab" });
  host.answerDiff(diff?.id ?? "", outcome);
  expect(await answer()).toEqual({
    ...{ success: true, result, trigger, tab_name: "tab" },
    message: expect.any(String) as string,
  });
});

test("an answer in the agent closes the diff by its title, and repeating it is harmless", async () => {
  const { host, agent, call, propose } = await open();
  const answer = propose("one");
  propose("two");
  await agent.take();
  const closed = { success: true, already_closed: false, tab_name: "one" };
  const id = agent.start("close_diff", { tab_name: "one" });
  const messages = await agent.take();
  const texts = messages.map(({ result }) => {
    const [item] = (result as { content: [{ text: string }] }).content;
    return JSON.parse(item.text) as object;
  });
  expect(messages.map((message) => message.id)).toContain(id);
  expect(texts).toContainEqual(expect.objectContaining(closed));
  expect(texts).toContainEqual(
    expect.objectContaining({ result: "REJECTED", trigger: "closed_via_tool" }),
  );
  expect(await answer()).toBe(undefined);
  expect(host.shownDiffs.map(({ title }) => title)).toEqual(["two"]);
  expect(await call("close_diff", { tab_name: "one" })).toMatchObject({ already_closed: true });
});

test("the session has the title that the agent sets, up to 200 characters", async () => {
  const { agent, call } = await open();
  expect(await call("update_session_name", { name: "Fix the tests" })).toEqual({ success: true });
  expect(agent.session.title).toBe("Fix the tests");
  await call("update_session_name", { name: "x".repeat(1_000) });
  expect(agent.session.title).toHaveLength(200);
});

test("diagnostics have a path and a URI, and files without any are omitted", async () => {
  const { call } = await open([
    { path: FILE, diagnostics: [problem] },
    { path: posixPath("/w/b.md"), diagnostics: [] },
  ]);
  const uri = "file:///w/a%20file.md";
  const all = [{ uri, filePath: FILE, diagnostics: [problem] }];
  expect(await call("get_diagnostics")).toEqual(all);
  expect(await call("get_diagnostics", { uri })).toEqual(all);
});

test("the selection is the current one, else the latest, else null", async () => {
  const { host, call } = await open();
  expect(await call("get_selection")).toBe(null);
  host.setSelection(selected(2) as never);
  expect(await call("get_selection")).toMatchObject({ text: "xx", filePath: FILE, current: true });
});

test("unshared content is in no answer", async () => {
  const { host, server, call } = await open([{ path: FILE, diagnostics: [problem] }]);
  host.setSelection(selected(2) as never);
  server.share = { ...server.share, level: "off" };
  expect(await call("get_selection")).toBe(null);
  expect(await call("get_diagnostics")).toEqual([]);
});

test("the editor has a name and a version", async () => {
  const { host, call } = await open();
  expect(await call("get_vscode_info")).toEqual({ appName: host.name, version: host.version });
});
