import { expect, test } from "vitest";
import { errorResult, textResult } from "../../mcp/content.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDocument } from "../../testing/sample-values.ts";
import type { EditorHostOverrides } from "../override-host.ts";
import { defaultSharePolicy, type ShareLevel } from "../share-policy.ts";
import { claudeCodeSpec } from "./claude-code-spec.ts";

const FILE = posixPath("/project/a.ts");

const document = sampleDocument({ path: FILE, languageId: "typescript" });

async function fixture(level: ShareLevel = "all", overrides: EditorHostOverrides = {}) {
  const host = fakeEditorHost(overrides);
  host.folders = [{ path: posixPath("/project"), name: "project" }];
  host.writeFile(FILE, "text\n");
  const share = { ...defaultSharePolicy, level };
  const ide = ideFixture({ dialect: claudeCodeSpec, share }, host);
  const agent = ide.connect();
  await agent.getReady();
  return { ...ide, agent };
}

test("open_files shows the last file in front, and skips those that it cannot show", async () => {
  const { agent, host } = await fixture();
  const file_paths = [FILE, "/project/.env", "relative.ts", "/project/b.ts"];
  expect(await agent.call("open_files", { file_paths })).toEqual(
    textResult('{"opened_files":["/project/a.ts","/project/b.ts"]}'),
  );
  expect(host.callsOf("reveal")).toEqual([
    [FILE, { preserveFocus: true }],
    ["/project/b.ts", { preserveFocus: false }],
  ]);
});

test("a cancelled open_files opens no more", async () => {
  const { agent, host } = await fixture();
  const id = agent.start("open_files", { file_paths: Array(50).fill(FILE) });
  agent.wire.notify("notifications/cancelled", { requestId: id });
  expect(await agent.take()).toEqual([]);
  expect(host.callsOf("reveal").length).toBeLessThan(50);
});

test("a file that cannot be formatted is not reported as missing", async () => {
  const { agent } = await fixture("all", { format: undefined });
  expect(await agent.call("reformat_file", { file_path: FILE })).toEqual(
    errorResult("This editor cannot format files"),
  );
  expect(await agent.call("reformat_file", { file_path: "/project/b.ts" })).toEqual(
    textResult("File not found"),
  );
});

test("files outside and unshared files are not found, whether they exist or not", async () => {
  const { agent, host } = await fixture();
  for (const file_path of ["/etc/passwd", "/project/.env", "/project/../etc/passwd"]) {
    expect(await agent.call("reformat_file", { file_path })).toEqual(textResult("File not found"));
  }
  expect(host.calls).toEqual([]);
});

test("open documents are listed only at the level all, without untitled ones", async () => {
  const documents = [document, { ...document, path: posixPath("/Untitled-1"), untitled: true }];
  for (const [level, text] of [
    ["all", FILE],
    ["selection", ""],
  ] as const) {
    const { agent, host } = await fixture(level);
    host.setDocuments(documents);
    expect(await agent.call("get_all_opened_file_paths")).toEqual(textResult(text));
  }
});

test("diagnostics of the active file are returned if they are shared", async () => {
  const file = { path: FILE, diagnostics: [] };
  for (const [level, answer] of [
    ["selection", '[{"uri":"file:///project/a.ts","diagnostics":[]}]'],
    ["path", "[]"],
  ] as const) {
    const { agent, host } = await fixture(level);
    expect(await agent.call("getDiagnostics", { uri: null })).toEqual(textResult("[]"));
    host.setDocuments([document]);
    host.setDiagnostics([file]);
    expect(await agent.call("getDiagnostics", {})).toEqual(textResult(answer));
  }
});

test("if only the path is shared, the selection is a cursor without text", async () => {
  const { agent, host } = await fixture("path");
  const range = { start: { line: 3, character: 1 }, end: { line: 4, character: 0 } };
  host.setSelection({ path: FILE, ranges: [{ ...range, text: "x" }], primary: 0 });
  const start = { line: 0, character: 0 };
  expect((await agent.take())[0]?.params).toEqual({
    selection: { start, end: start },
    text: null,
    filePath: FILE,
  });
});

test("each session is pinged separately, and those of a closed server are not", async () => {
  const { agent, clock, server, connect } = await fixture();
  clock.advance(2_000);
  const other = connect();
  await other.shakeHands();
  const methods = async (who: typeof agent) => (await who.take()).map(({ method }) => method);
  clock.advance(2_700);
  expect([await methods(agent), await methods(other)]).toEqual([["ping"], []]);
  clock.advance(2_300);
  expect([await methods(agent), await methods(other)]).toEqual([[], ["ping"]]);
  server.close();
  await agent.take();
  clock.advance(60_000);
  expect([await methods(agent), await methods(other)]).toEqual([[], []]);
});
