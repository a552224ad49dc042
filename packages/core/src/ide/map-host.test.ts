import { expect, test } from "vitest";
import { createPathMap } from "../paths/path-map.ts";
import { fakeEditorHost } from "../testing/fake-editor-host.ts";
import { ideFixture } from "../testing/ide-fixture.ts";
import { posixPath } from "../testing/posix-path.ts";
import { sampleDocument } from "../testing/sample-values.ts";
import { claudeCodeSpec } from "./dialects/claude-code-spec.ts";
import { jetBrains } from "./dialects/jetbrains.ts";
import type { OpenDocument } from "./editor-host.ts";
import { mapHost, mapShare } from "./map-host.ts";
import { defaultSharePolicy, type SharePolicy } from "./share-policy.ts";

const map = createPathMap([{ host: "C:\\Vault", agent: "/workspace" }]);
const own = (name: string) => posixPath(`/c/Vault/${name}`);

/** An editor on Windows and an agent in a container. */
function fixture(options: Parameters<typeof ideFixture>[0] = {}) {
  const host = fakeEditorHost();
  host.folders = [
    { path: posixPath("/c/Vault"), name: "Vault" },
    { path: posixPath("/d/other"), name: "other" },
  ];
  const share: SharePolicy = { ...defaultSharePolicy, level: "all", ...options.share };
  const ide = ideFixture(
    { ...options, platform: map.agentPlatform, share: mapShare(share, map) },
    mapHost(host, map) as typeof host,
  );
  return { ...ide, host, agent: ide.connect() };
}

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
const document = (name: string, members?: Partial<OpenDocument>) =>
  sampleDocument({ path: own(name), uri: `file:///c:/Vault/${name}`, ...members });

const json = ({ content }: { readonly content: readonly { readonly type: string }[] }) =>
  JSON.parse((content[0] as unknown as { readonly text: string }).text) as unknown;

test("a selection is sent with the agent's path, and an unmapped one as an empty one", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  host.setSelection({ path: own("a.md"), ranges: [{ ...range, text: "abc" }], primary: 0 });
  host.setSelection({
    path: posixPath("/d/other/a.md"),
    ranges: [{ ...range, text: "secret" }],
    primary: 0,
  });
  const received = (await agent.take()).map(({ params }) => params);
  expect(received).toEqual([
    { filePath: "/workspace/a.md", text: "abc", selection: range },
    { selection: { ...range, end: range.start }, text: "" },
  ]);
});

test("a mention is sent with the agent's path, and an unmapped one is not sent", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  host.mention({ path: own("a.md") });
  host.mention({ path: posixPath("/d/other/a.md") });
  expect((await agent.take()).map(({ params }) => params)).toEqual([
    { filePath: "/workspace/a.md" },
  ]);
});

test("both paths of a diff are mapped to the host's", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  agent.start("openDiff", {
    old_file_path: "/workspace/old.md",
    new_file_path: "/workspace/new.md",
    new_file_contents: "x",
    tab_name: "t",
  });
  await agent.take();
  expect(host.shownDiffs).toMatchObject([
    { path: own("new.md"), oldPath: own("old.md"), outsideWorkspace: false },
  ]);
});

test("a path that is not mapped is refused without calling the host", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  const refused = await agent.call("openDiff", {
    old_file_path: "/etc/hosts",
    new_file_contents: "x",
    tab_name: "t",
  });
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused)).toContain("/etc/hosts is in no folder that the path map covers");
  expect(host.calls).toEqual([]);
});

test("tools take and return the agent's paths", async () => {
  const { host, agent } = fixture();
  host.setDocuments([
    document("a.md"),
    document("Untitled-1", { untitled: true, uri: "untitled:1" }),
  ]);
  host.writeFile(own("a.md"), "abc\n");
  await agent.getReady();
  expect(json(await agent.call("getWorkspaceFolders"))).toEqual({
    success: true,
    folders: [{ name: "Vault", uri: "file:///workspace", path: "/workspace" }],
    rootPath: "/workspace",
  });
  expect(json(await agent.call("getOpenEditors"))).toMatchObject({
    tabs: [{ uri: "file:///workspace/a.md" }, { uri: "untitled:1" }],
  });
  await agent.call("openFile", { filePath: "/workspace/a.md" });
  await agent.call("saveDocument", { filePath: "/workspace/a.md" });
  await agent.call("close_tab", { tab_name: "/workspace/a.md" });
  expect(host.callsOf("reveal")).toMatchObject([[own("a.md"), {}]]);
  expect(host.callsOf("save")).toEqual([[own("a.md")]]);
  expect(host.callsOf("closeTab")).toEqual([["C:\\Vault\\a.md"]]);
});

test("diagnostics have the agent's URIs in request and result", async () => {
  const { host, agent } = fixture();
  await agent.getReady();
  const diagnostics = [{ message: "no", severity: "error" as const, range }];
  host.setDiagnostics([
    { path: own("ü b.md"), diagnostics },
    { path: posixPath("/d/other/x"), diagnostics },
  ]);
  const expected = [{ uri: "file:///workspace/ü b.md", diagnostics: [{ severity: "Error" }] }];
  expect(json(await agent.call("getDiagnostics"))).toMatchObject(expected);
  expect(json(await agent.call("getDiagnostics"))).toHaveLength(1);
  const uri = "file:///workspace/ü b.md";
  expect(json(await agent.call("getDiagnostics", { uri }))).toMatchObject(expected);
});

test("a failure of the host has the agent's path", async () => {
  const { agent, host } = fixture();
  host.setDocuments([document("gone.md")]);
  await agent.getReady();
  const answer = await agent.call("openFile", {
    filePath: "/workspace/gone.md",
    startText: "x",
  });
  expect(JSON.stringify(answer)).toContain("/workspace/gone.md: there is no such file");
  expect(JSON.stringify(answer)).not.toMatch(/vault/);
});

test("a policy judges the host's path, and paths that are not mapped are excluded", () => {
  const policy = mapShare(
    {
      ...defaultSharePolicy,
      isExcluded: (path) => path === own("private.md"),
      leadsOutside: (path) => path === own("link.md"),
    },
    map,
  );
  const paths = ["/workspace/private.md", "/workspace/link.md", "/etc/passwd"].map(posixPath);
  expect(paths.map(policy.isExcluded)).toEqual([true, false, true]);
  expect(paths.map((path) => policy.leadsOutside?.(path))).toEqual([false, true, false]);
});

test("the other dialects send the agent's paths as well", async () => {
  const seen: unknown[] = [];
  for (const dialect of [claudeCodeSpec, jetBrains]) {
    const { host, agent } = fixture({ dialect });
    await agent.getReady();
    host.setSelection({ path: own("a.md"), ranges: [{ ...range, text: "abc" }], primary: 0 });
    host.setDiagnostics([{ path: own("a.md"), diagnostics: [] }]);
    await Promise.resolve();
    seen.push(...(await agent.take()));
  }
  const text = JSON.stringify(seen);
  expect(text).toContain('"filePath":"/workspace/a.md"');
  expect(text).toContain('"file_path":"/workspace/a.md"');
  expect(text).toContain('"uri":"file:///workspace/a.md"');
  expect(text).not.toMatch(/vault/i);
});

test("members that the editor lacks stay absent", () => {
  const bare = fakeEditorHost({ openDiff: undefined, save: undefined, diagnostics: undefined });
  const mapped = mapHost(bare, map);
  expect([mapped.openDiff, mapped.save, mapped.diagnostics]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(mapped.reveal).toBeDefined();
});
