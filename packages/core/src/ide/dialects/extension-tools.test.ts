import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDocument } from "../../testing/sample-values.ts";
import type { OpenDocument } from "../editor-host.ts";
import type { EditorHostOverrides } from "../override-host.ts";
import type { IdeServerOptions } from "../session/ide-server.ts";
import type { ShareLevel } from "../share-policy.ts";

const FILE = posixPath("/project/src/a.ts");
const SECRET = posixPath("/project/.env");
const TEXT = "function one() {\r\n  return 1;\r\n}\r\nfunction two() {}\n";

function openDocument(members?: Partial<OpenDocument>): OpenDocument {
  const open = { path: FILE, languageId: "typescript", dirty: true, label: "a.ts" };
  return sampleDocument({ ...open, ...members });
}

async function fixture(
  level: ShareLevel = "all",
  overrides: EditorHostOverrides = {},
  options: Partial<IdeServerOptions> = {},
) {
  const host = fakeEditorHost(overrides);
  host.folders = [{ path: posixPath("/project"), name: "project" }];
  host.writeFile(FILE, TEXT);
  const ide = ideFixture({ share: { level }, ...options }, host);
  const agent = ide.connect();
  await agent.getReady();
  const text = async (name: string, args?: unknown) => {
    const { content, isError } = await agent.call(name, args);
    expect([content.length, isError]).toEqual([1, undefined]);
    return String(content[0]?.["text" as never]);
  };
  const json = async (name: string, args?: unknown) => JSON.parse(await text(name, args)) as object;
  return { ...ide, agent, text, json };
}

async function listed(overrides: EditorHostOverrides): Promise<readonly string[]> {
  const { agent } = await fixture("all", overrides);
  agent.request("tools/list");
  const [answer] = await agent.take();
  const result = answer?.result as { tools: readonly { name: string }[] } | undefined;
  return (result?.tools ?? []).map(({ name }) => name);
}

test("each tool is listed if the editor supports it, and no tool runs code", async () => {
  const all = await listed({});
  for (const name of ["openFile", "getCurrentSelection", "getLatestSelection", "saveDocument"]) {
    expect(all).toContain(name);
  }
  expect(all).not.toContain("executeCode");
  const few = await listed({ reveal: undefined, save: undefined });
  expect(all.filter((name) => !few.includes(name))).toEqual(["openFile", "saveDocument"]);
});

test("openFile shows a file in front, without a range, and reports that", async () => {
  const { host, text } = await fixture();
  expect(await text("openFile", { filePath: FILE })).toBe(`Opened file: ${FILE}`);
  expect(host.callsOf("reveal")).toEqual([[FILE, { preserveFocus: false }]]);
});

test.each([
  [{ startText: "return" }, [1, 2, 1, 8]],
  [{ startText: "function", endText: "}" }, [0, 0, 2, 1]],
  [{ startText: "function", endText: "no such text" }, [0, 0, 0, 8]],
  [{ startText: "one", selectToEndOfLine: true }, [0, 9, 0, 16]],
  [{ startText: "two() {}", selectToEndOfLine: true }, [3, 9, 3, 17]],
])("openFile %j selects the text", async (query, [line, character, endLine, endCharacter]) => {
  const { host, text } = await fixture();
  await text("openFile", { filePath: FILE, preview: true, ...query });
  const range = {
    start: { line, character },
    end: { line: endLine, character: endCharacter },
  };
  expect(host.callsOf("reveal")).toEqual([[FILE, { preserveFocus: false, preview: true, range }]]);
});

test("a text that does not occur selects nothing, and the answer does not reveal it", async () => {
  const { host, text } = await fixture();
  const answer = await text("openFile", { filePath: FILE, startText: "nowhere", endText: "}" });
  expect(answer).toBe(`Opened file: ${FILE}`);
  expect(host.callsOf("reveal")).toEqual([[FILE, { preserveFocus: false }]]);
});

test("openFile in the background returns language and line count if documents are shared", async () => {
  const behind = { filePath: FILE, makeFrontmost: false };
  const all = await fixture("all");
  all.host.setDocuments([openDocument()]);
  expect(await all.json("openFile", behind)).toEqual({
    success: true,
    filePath: FILE,
    languageId: "typescript",
    lineCount: 5,
  });
  expect(all.host.callsOf("reveal")).toEqual([[FILE, { preserveFocus: true }]]);
  const some = await fixture("selection");
  some.host.setDocuments([openDocument()]);
  expect(await some.json("openFile", behind)).toEqual({ success: true, filePath: FILE });
});

test.each([
  ["/elsewhere/b.ts", "filePath: /elsewhere/b.ts is outside the workspace folders"],
  ["/project/../elsewhere/b.ts", "filePath: /elsewhere/b.ts is outside the workspace folders"],
  [SECRET, "/project/.env is not a file that is shared with agents; check the name"],
  ["src/a.ts", /^filePath: the path "src\/a.ts" is not absolute/],
])("openFile refuses %s without calling the editor", async (filePath, message) => {
  const { host, json } = await fixture();
  expect(await json("openFile", { filePath, startText: "x" })).toEqual({
    success: false,
    message: message instanceof RegExp ? expect.stringMatching(message) : message,
  });
  expect(host.calls).toEqual([]);
});

test("a failure of the editor is passed on", async () => {
  const { json } = await fixture("all", {
    reveal: () => Promise.reject(new ToolFailure("it is a directory")),
  });
  expect(await json("openFile", { filePath: FILE })).toEqual({
    success: false,
    message: "it is a directory",
  });
  const without = await fixture("all", { reveal: undefined });
  expect(await without.json("openFile", { filePath: FILE })).toEqual({
    success: false,
    message: "This editor cannot show files on request",
  });
});

test("getCurrentSelection is of the active editor, getLatestSelection also of the one before", async () => {
  const { host, json } = await fixture("selection");
  expect(await json("getCurrentSelection")).toEqual({
    success: false,
    message: "No active editor found",
  });
  expect(await json("getLatestSelection")).toEqual({
    success: false,
    message: "No selection available",
  });
  const selection = { start: { line: 0, character: 0 }, end: { line: 0, character: 8 } };
  host.setSelection({ path: FILE, ranges: [{ ...selection, text: "function" }], primary: 0 });
  const received = { success: true, text: "function", filePath: FILE, selection };
  expect(await json("getCurrentSelection")).toEqual(received);
  host.blur();
  expect(await json("getCurrentSelection")).toMatchObject({ success: false });
  expect(await json("getLatestSelection")).toEqual(received);
});

test("below its share level a selection is a path or nothing", async () => {
  const start = { line: 0, character: 0 };
  const range = { start, end: { line: 0, character: 3 }, text: "abc" };
  const path = await fixture("path");
  path.host.setSelection({ path: FILE, ranges: [range], primary: 0 });
  const cursor = { start, end: start };
  expect(await path.json("getCurrentSelection")).toEqual({
    success: true,
    text: "",
    filePath: FILE,
    selection: cursor,
  });
  const off = await fixture("off");
  off.host.setSelection({ path: FILE, ranges: [range], primary: 0 });
  expect(await off.json("getCurrentSelection")).toMatchObject({ success: false });
  const all = await fixture("all");
  all.host.setSelection({ path: SECRET, ranges: [range], primary: 0 });
  expect(await all.json("getLatestSelection")).toMatchObject({ success: false });
});

test("getOpenEditors lists open documents at the level all, and nothing below", async () => {
  const documents = [
    openDocument({ path: posixPath("/project/a ü.ts"), uri: "file:///project/a%20%C3%BC.ts" }),
    openDocument({ path: SECRET, active: false }),
    openDocument({ untitled: true, uri: "untitled:Untitled-1", active: false, dirty: false }),
  ];
  const { host, json } = await fixture("all");
  host.setDocuments(documents);
  const tab = { label: "a.ts", languageId: "typescript" };
  expect(await json("getOpenEditors")).toEqual({
    tabs: [
      { ...tab, uri: "file:///project/a ü.ts", isActive: true, isDirty: true },
      { ...tab, uri: "untitled:Untitled-1", isActive: false, isDirty: false },
    ],
  });
  const below = await fixture("selection");
  below.host.setDocuments(documents);
  expect(await below.json("getOpenEditors")).toEqual({ tabs: [] });
});

test("getWorkspaceFolders returns the folders of the lock file at any level", async () => {
  const { host, json } = await fixture("off");
  const folder = { name: "project", uri: "file:///project", path: "/project" };
  expect(await json("getWorkspaceFolders")).toEqual({
    success: true,
    folders: [folder],
    rootPath: "/project",
  });
  host.folders = [];
  expect(await json("getWorkspaceFolders")).toEqual({ success: true, folders: [] });
});

test("checkDocumentDirty works for open documents that are shared", async () => {
  const { host, json } = await fixture("all");
  const missing = { success: false, message: `Document not open: ${FILE}` };
  expect(await json("checkDocumentDirty", { filePath: FILE })).toEqual(missing);
  host.setDocuments([openDocument()]);
  expect(await json("checkDocumentDirty", { filePath: FILE })).toEqual({
    success: true,
    filePath: FILE,
    isDirty: true,
    isUntitled: false,
  });
  const below = await fixture("selection");
  below.host.setDocuments([openDocument()]);
  expect(await below.json("checkDocumentDirty", { filePath: FILE })).toEqual(missing);
});

test("saveDocument saves, or returns the reason why not", async () => {
  const { host, json } = await fixture("all");
  host.setDocuments([openDocument()]);
  expect(await json("saveDocument", { filePath: FILE })).toEqual({
    success: true,
    filePath: FILE,
    saved: true,
    message: "Document saved successfully",
  });
  expect(host.callsOf("save")).toEqual([[FILE]]);
  const full = await fixture("all", { save: async () => ({ saved: false, message: "disk full" }) });
  full.host.setDocuments([openDocument()]);
  expect(await full.json("saveDocument", { filePath: FILE })).toEqual({
    success: false,
    message: "disk full",
  });
  const unable = await fixture("all", { save: undefined });
  unable.host.setDocuments([openDocument()]);
  expect(await unable.json("saveDocument", { filePath: FILE })).toEqual({
    success: false,
    message: `${FILE} could not be saved`,
  });
});

test("unsaved text cannot be disclosed by saving it", async () => {
  const { host, json } = await fixture("selection");
  host.setDocuments([openDocument()]);
  expect(await json("saveDocument", { filePath: FILE })).toEqual({
    success: false,
    message: `Document not open: ${FILE}`,
  });
  expect(host.callsOf("save")).toEqual([]);
});

test.each(["off", "path", "selection"] as const)(
  "at the level %s, a session sees the documents that it has opened, but not their unsaved text",
  async (level) => {
    const { host, json } = await fixture(level);
    host.setDocuments([openDocument(), openDocument({ path: posixPath("/project/b.ts") })]);
    await json("openFile", { filePath: FILE, makeFrontmost: false });
    expect(await json("checkDocumentDirty", { filePath: FILE })).toMatchObject({ isDirty: true });
    const { tabs } = (await json("getOpenEditors")) as { tabs: readonly object[] };
    expect(tabs).toHaveLength(1);
    expect(await json("saveDocument", { filePath: FILE })).toEqual({
      success: false,
      message: `${FILE} has unsaved text, which is not shared`,
    });
    expect(host.callsOf("save")).toEqual([]);
    host.setDocuments([openDocument({ dirty: false })]);
    expect(await json("saveDocument", { filePath: FILE })).toMatchObject({ saved: true });
  },
);

test("on Windows paths are native in both directions", async () => {
  const { host, json } = await fixture("all", {}, { platform: "windows" });
  host.folders = [{ path: posixPath("/c/Project"), name: "Project" }];
  host.setDocuments([openDocument({ path: posixPath("/c/Project/a.ts") })]);
  expect(await json("checkDocumentDirty", { filePath: "c:/PROJECT/a.ts" })).toMatchObject({
    filePath: "C:\\Project\\a.ts",
  });
  expect(await json("getWorkspaceFolders")).toMatchObject({
    rootPath: "C:\\Project",
    folders: [{ uri: "file://C:\\Project" }],
  });
});
