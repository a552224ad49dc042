import { expect, test } from "vitest";
import type { ServerFacts } from "../../discovery/discovery-format.ts";
import { geminiDiscovery, qwenDiscovery } from "../../discovery/gemini-discovery.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDocument } from "../../testing/sample-values.ts";
import type { SharedState } from "../share-policy.ts";
import { gemini } from "./gemini.ts";

const FILE = posixPath("/w/a.md");

function filesOf(state: Partial<SharedState>) {
  const whole = { selection: undefined, documents: [], trusted: true, ...state };
  const sent = gemini.encodeState(whole, { platform: "posix", clientKind: "" });
  const params = sent?.params as unknown as
    | { workspaceState: { openFiles: { path: string }[]; isTrusted: boolean } }
    | undefined;
  return params?.workspaceState ?? { openFiles: [], isTrusted: undefined };
}

function selected(text: string): SharedState["selection"] {
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: text.length } };
  return { path: FILE, ranges: [{ ...range, text }], primary: 0 };
}

test("the cursor is counted from 1, and is the end of the selection", () => {
  expect(filesOf({ selection: selected("ab"), trusted: false })).toEqual({
    openFiles: [
      {
        path: FILE,
        timestamp: 0,
        isActive: true,
        cursor: { line: 2, character: 3 },
        selectedText: "ab",
      },
    ],
    isTrusted: false,
  });
});

test("nothing selected is a cursor without a text, and nothing open an empty list", () => {
  const [file] = filesOf({ selection: selected("") }).openFiles;
  expect(file).not.toHaveProperty("selectedText");
  expect(filesOf({}).openFiles).toEqual([]);
});

test("if only the path is shared, there is no cursor", () => {
  const selection = { path: FILE, primary: 0 };
  expect(filesOf({ selection }).openFiles).toEqual([{ path: FILE, timestamp: 0, isActive: true }]);
});

test("at most ten files are sent, the newest first, without untitled ones", () => {
  const documents = Array.from({ length: 20 }, (_, index) =>
    sampleDocument({
      path: posixPath(`/w/${index}.md`),
      lastFocusedMs: index,
      untitled: index === 18,
    }),
  );
  const { openFiles } = filesOf({ documents });
  expect(openFiles.map(({ path }) => path)).toEqual(
    [19, 17, 16, 15, 14, 13, 12, 11, 10, 9].map((index) => `/w/${index}.md`),
  );
});

test("a selected text is cut at 16,384 characters, never within one", () => {
  const [file] = filesOf({ selection: selected(`${"x".repeat(16_383)}😀`) }).openFiles;
  expect(file).toMatchObject({ selectedText: "x".repeat(16_383) });
});

test("a web page is not listed as a file", () => {
  const selection = { path: "https://example.com/a" as typeof FILE, primary: 0 };
  expect(filesOf({ selection }).openFiles).toEqual([]);
});

const facts: ServerFacts = {
  port: 4711,
  token: "token",
  folders: ["/a", "/b"],
  ideName: "My Editor",
  isLocal: true,
  inWindows: false,
  writtenMs: 0,
  process: { pid: 17, started: "then" },
};

test.each([
  ["Gemini CLI", geminiDiscovery, "gemini-ide-server-17-4711.json", "/a:/b", {}],
  ["Qwen Code", qwenDiscovery, "4711.lock", '["/a","/b"]', { ppid: 17, ideName: "My Editor" }],
])(
  "the file of %s has its folders, and the editor's name",
  (_, format, name, workspacePath, more) => {
    expect(format.fileName(facts, "")).toBe(name);
    expect(format.match(name)).toEqual({ port: 4711 });
    const text = format.format(facts);
    expect(JSON.parse(text)).toMatchObject({
      ...{ port: 4711, workspacePath, authToken: "token", ...more },
      ideInfo: { name: "my-editor", displayName: "My Editor" },
    });
    expect(format.read(text)).toEqual({
      ok: true,
      value: {
        ...{ workspaceFolders: ["/a", "/b"], transport: "http", port: 4711, ideName: "My Editor" },
        ...{ authToken: "token", pid: 17, started: "then", generator: "idewire" },
      },
    });
  },
);

test.each([
  ["", "the file is empty"],
  ['{"port":47', "the file is not JSON"],
  ["[]", "expected an object, got []"],
  ['{"port":0}', "port: expected 1 to 65535, got 0"],
  ['{"port":1}', "workspacePath: expected a path, got nothing"],
  ['{"port":1,"workspacePath":"/a","authToken":5}', "authToken: expected a token, got a number"],
])("half a file is refused with a message: %s", (text, issue) => {
  expect(geminiDiscovery.read(text)).toEqual({ ok: false, issue });
  expect(qwenDiscovery.read(text)).toEqual({ ok: false, issue });
});

test("folders of Windows are joined by a semicolon", () => {
  const folders = ["C:\\a", "D:\\b"];
  const read = geminiDiscovery.read(geminiDiscovery.format({ ...facts, folders, inWindows: true }));
  expect(read).toMatchObject({ ok: true, value: { workspaceFolders: folders } });
});

test("a file of an earlier version has no port, and other names are ignored", () => {
  expect(geminiDiscovery.match("gemini-ide-server-17.json")).toEqual({});
  for (const name of ["gemini-ide-server-.json", "a.json", "gemini-ide-server-1-2.json.tmp"]) {
    expect(geminiDiscovery.match(name)).toBe(undefined);
  }
});
