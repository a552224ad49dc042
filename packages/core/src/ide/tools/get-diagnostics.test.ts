import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { errorResult, textResult } from "../../mcp/content.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import type { Diagnostic, FileDiagnostics } from "../editor-host.ts";
import type { AnnotateDiagnostics } from "../session/annotate-diagnostics.ts";
import { defaultSharePolicy } from "../share-policy.ts";

const range = { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } };
const problem: Diagnostic = { range, severity: "error", message: "wrong" };
const wireProblem = { message: "wrong", severity: "Error", range };

async function fixture(...args: Parameters<typeof ideFixture>) {
  const ide = ideFixture(...args);
  const agent = ide.connect();
  await agent.getReady();
  /** The tool's answer: the parsed JSON of its only text. */
  const ask = async (params: unknown) => {
    const { content, isError } = await agent.call("getDiagnostics", params);
    expect([content.length, isError]).toEqual([1, undefined]);
    return JSON.parse(String(content[0]?.["text" as never])) as unknown;
  };
  return { ...ide, agent, ask };
}

function file(path: string, ...diagnostics: Diagnostic[]): FileDiagnostics {
  return { path: posixPath(path), diagnostics };
}

test("without a uri all diagnostics of the host are returned, each with its range", async () => {
  const { host, ask } = await fixture();
  host.setDiagnostics([
    file(
      "/vault/a.ts",
      { ...problem, source: "ts", code: 2322 },
      { ...problem, severity: "warning", code: "W1" },
      { ...problem, severity: "information" },
      { ...problem, severity: "hint", source: "lint" },
    ),
    file("/vault/b.ts"),
  ]);
  const expected = [
    {
      uri: "file:///vault/a.ts",
      diagnostics: [
        { ...wireProblem, source: "ts", code: 2322 },
        { ...wireProblem, severity: "Warning", code: "W1" },
        { ...wireProblem, severity: "Info" },
        { ...wireProblem, severity: "Hint", source: "lint" },
      ],
    },
    { uri: "file:///vault/b.ts", diagnostics: [] },
  ];
  expect(await ask({})).toEqual(expected);
  expect(await ask(undefined)).toEqual(expected);
});

test("a null uri means the whole workspace, like an absent one", async () => {
  const { host, ask } = await fixture();
  host.setDiagnostics([file("/vault/a.ts", problem)]);
  expect(await ask({ uri: null })).toEqual(await ask({}));
  expect(host.callsOf("diagnostics")).toEqual([[], []]);
});

const names = [
  "a b.txt",
  "grün.md",
  "gru\u0308n.md",
  "100%.txt",
  "100%25.txt",
  "a%20b.txt",
  "#1?.txt",
  "日本.txt",
  "+&=.txt",
  "back\\slash.txt",
];

test.each(names)("the raw uri of %j is read and written as it is", async (name) => {
  const { host, ask } = await fixture();
  host.setDiagnostics([file(`/vault/${name}`, problem), file("/vault/other", problem)]);
  const uri = `file:///vault/${name}`;
  expect(await ask({ uri })).toEqual([{ uri, diagnostics: [wireProblem] }]);
});

test.each(names)("the percent-encoded uri of %j finds the file too", async (name) => {
  const { host, ask } = await fixture();
  host.setDiagnostics([file(`/vault/${name}`, problem)]);
  const answer = await ask({ uri: `file:///vault/${encodeURIComponent(name)}` });
  expect(answer).toContainEqual({ uri: `file:///vault/${name}`, diagnostics: [wireProblem] });
});

test("a percent-encoded uri works if the workspace's path needs encoding", async () => {
  const { host, ask } = await fixture();
  host.folders = [{ path: posixPath("/home/me/My Wörk"), name: "w" }];
  host.setDiagnostics([file("/home/me/My Wörk/a b.txt", problem)]);
  const answer = await ask({ uri: "file:///home/me/My%20W%C3%B6rk/a%20b.txt" });
  expect(answer).toContainEqual({
    uri: "file:///home/me/My Wörk/a b.txt",
    diagnostics: [wireProblem],
  });
});

test("a percent-encoded uri works if the host refuses the raw path", async () => {
  const host = fakeEditorHost({
    diagnostics: async (path) => {
      if (path === "/vault/a b.txt") return [file("/vault/a b.txt", problem)];
      throw new ToolFailure(`${path}: there is no such file`);
    },
  });
  const { ask, agent } = await fixture({}, host);
  expect(await ask({ uri: "file:///vault/a%20b.txt" })).toEqual([
    { uri: "file:///vault/a b.txt", diagnostics: [wireProblem] },
  ]);
  expect(await agent.call("getDiagnostics", { uri: "file:///vault/no%20file.txt" })).toEqual(
    errorResult("/vault/no file.txt: there is no such file"),
  );
  expect(await agent.call("getDiagnostics", { uri: "file:///vault/none" })).toEqual(
    errorResult("/vault/none: there is no such file"),
  );
});

test("a plain path works like a uri, and is not decoded", async () => {
  const { host, ask } = await fixture();
  host.setDiagnostics([file("/vault/a%20b.txt", problem)]);
  expect(await ask({ uri: "/vault/a%20b.txt" })).toEqual([
    { uri: "file:///vault/a%20b.txt", diagnostics: [wireProblem] },
  ]);
});

test("on Windows paths are native in both directions", async () => {
  const { host, ask } = await fixture({ platform: "windows" });
  host.folders = [{ path: posixPath("/c/My Work"), name: "w" }];
  host.setDiagnostics([file("/c/My Work/a.txt", problem)]);
  const expected = [{ uri: "file://C:\\My Work\\a.txt", diagnostics: [wireProblem] }];
  expect(await ask({})).toEqual(expected);
  for (const uri of [
    "file://C:\\My Work\\a.txt",
    "file:///c:/My Work/a.txt",
    "file:///C:/My%20Work/a.txt",
    "C:\\My Work\\a.txt",
  ]) {
    expect(await ask({ uri }), uri).toContainEqual(expected[0]);
  }
});

test.each([
  ["file:///etc/passwd", "uri: /etc/passwd is outside the workspace folders"],
  ["file:///vault/../etc/passwd", "uri: /etc/passwd is outside the workspace folders"],
  ["file:///etc/pass%77d", "uri: /etc/pass%77d is outside the workspace folders"],
  ["file:///workshop/a", "uri: /workshop/a is outside the workspace folders"],
  ["file:///vault/a\0", "uri: a path may not contain NUL; give the absolute path of a file"],
  ["a.txt", 'uri: the path "a.txt" is not absolute; give the absolute path of a file'],
  [
    "https://example.com/",
    'uri: the path "https://example.com/" is not absolute; give the absolute path of a file',
  ],
  ["", 'uri: the path "" is not absolute; give the absolute path of a file'],
])(
  "the uri %j is refused with the same message whether the file exists or not",
  async (uri, words) => {
    const { host, agent } = await fixture();
    host.setDiagnostics([file("/etc/passwd", problem)]);
    expect(await agent.call("getDiagnostics", { uri })).toEqual(errorResult(words));
    expect(host.callsOf("diagnostics")).toEqual([]);
  },
);

test("percent-encoded dots do not lead outside", async () => {
  const { host, ask } = await fixture();
  host.setDiagnostics([file("/etc/passwd", problem)]);
  expect(await ask({ uri: "file:///vault/%2e%2e/etc/passwd" })).toEqual([]);
  expect(host.callsOf("diagnostics")).toEqual([["/vault/%2e%2e/etc/passwd"]]);
});

test("a file whose name looks encoded is found even if the decoded name is refused", async () => {
  const host = fakeEditorHost({
    diagnostics: async (path) => {
      if (path === "/vault/100%25.txt") return [file("/vault/100%25.txt")];
      throw new ToolFailure(`${path}: there is no such file`);
    },
  });
  const { ask } = await fixture({}, host);
  const uri = "file:///vault/100%25.txt";
  expect(await ask({ uri })).toEqual([{ uri, diagnostics: [] }]);
});

test("a uri of another type is refused naming it", async () => {
  const { agent } = await fixture();
  const { isError, content } = await agent.call("getDiagnostics", { uri: 5 });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain("uri: expected");
  expect(JSON.stringify(content)).toContain("got 5");
});

test("a host without diagnostics lists no such tool and answers an empty list", async () => {
  const { agent, ask } = await fixture({}, fakeEditorHost({ diagnostics: undefined }));
  agent.request("tools/list");
  expect(JSON.stringify(await agent.take())).not.toContain("getDiagnostics");
  expect(await ask({})).toEqual([]);
  expect(await ask({ uri: "file:///vault/a.txt" })).toEqual([]);
});

test("excluded files are left out, and below the level selection all of them", async () => {
  const { host, server, ask } = await fixture();
  host.setDiagnostics([file("/vault/.env", problem), file("/vault/a.txt", problem)]);
  const shared = [{ uri: "file:///vault/a.txt", diagnostics: [wireProblem] }];
  expect(await ask({})).toEqual(shared);
  expect(await ask({ uri: "file:///vault/.env" })).toEqual([]);
  for (const [level, expected] of [
    ["all", shared],
    ["path", []],
    ["off", []],
  ] as const) {
    server.share = { ...defaultSharePolicy, level };
    expect(await ask({})).toEqual(expected);
  }
});

test("sharing is judged when the host has answered, not when the request was made", async () => {
  const host = fakeEditorHost({
    async diagnostics() {
      server.share = { ...server.share, level: "path" };
      return [file("/vault/a.ts", problem)];
    },
  });
  const { server, ask } = await fixture({}, host);
  expect(await ask({})).toEqual([]);
});

test("an empty answer is the text of an empty list", async () => {
  const { agent } = await fixture();
  expect(await agent.call("getDiagnostics", {})).toEqual(textResult("[]"));
});

test("the host is not called for files that are not shared", async () => {
  const refuse = async () => {
    throw new ToolFailure("it is a directory");
  };
  const off = { ...defaultSharePolicy, level: "off" as const };
  const { ask } = await fixture({ share: off }, fakeEditorHost({ diagnostics: refuse }));
  expect(await ask({ uri: "file:///vault/anything" })).toEqual([]);
  const { ask: askSecret } = await fixture({}, fakeEditorHost({ diagnostics: refuse }));
  expect(await askSecret({ uri: "file:///vault/.env" })).toEqual([]);
});

test("shared annotations are added, and their provider is informed whether a write follows", async () => {
  const seen: unknown[] = [];
  const annotation: Diagnostic = { range, severity: "information", message: "annotation" };
  const annotateDiagnostics: AnnotateDiagnostics = async (
    files,
    { path, isBaseline, isShared },
  ) => {
    seen.push({ path, isBaseline });
    expect(["/vault/b.ts", "/vault/.env"].map((each) => isShared(posixPath(each)))).toEqual([
      true,
      false,
    ]);
    return [...files, file("/vault/b.ts", annotation), file("/vault/.env", annotation)];
  };
  const { host, ask, agent } = await fixture({ annotateDiagnostics });
  host.setDiagnostics([file("/vault/a.ts", problem)]);
  const path = "/vault/a.ts";
  const uri = `file://${path}`;
  await ask({ uri });
  expect(await ask({})).toEqual([
    { uri, diagnostics: [wireProblem] },
    {
      uri: "file:///vault/b.ts",
      diagnostics: [{ message: "annotation", severity: "Info", range }],
    },
  ]);
  const _meta = { "claudecode/toolUseId": "toolu_1" };
  agent.request("tools/call", { name: "getDiagnostics", arguments: { uri }, _meta });
  await agent.take();
  expect(seen).toEqual([
    { path, isBaseline: true },
    { path: undefined, isBaseline: false },
    { path, isBaseline: false },
  ]);
});
