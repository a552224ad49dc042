import { expect, test } from "vitest";
import { errorResult, textResult } from "../../mcp/content.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import type { IdeServerOptions } from "../session/ide-server.ts";
import { defaultSharePolicy, type ShareLevel } from "../share-policy.ts";
import { jetBrains } from "./jetbrains.ts";

const FILE = posixPath("/project/src/main.ts");
const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };

async function fixture(level: ShareLevel = "selection", options: Partial<IdeServerOptions> = {}) {
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath("/project"), name: "project" }];
  const share = { ...defaultSharePolicy, level };
  const ide = ideFixture({ dialect: jetBrains, share, ...options }, host);
  const agent = ide.connect();
  await agent.getReady();
  return { ...ide, agent };
}

test("an agent is sent the project once, before any state", async () => {
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath("/project"), name: "project" }];
  host.setSelection({ path: FILE, ranges: [{ ...range, text: "x" }], primary: 0 });
  const { clock, connect } = ideFixture({ dialect: jetBrains }, host);
  const agent = connect();
  expect((await agent.getReady()).map(({ method, params }) => [method, params])).toEqual([
    ["notifications/ide_connected", { project_path: "/project" }],
    ["notifications/selection_changed", { file_path: FILE, range }],
  ]);
  agent.request("tools/list");
  clock.advance(300);
  const again = (await agent.take()).map(({ method }) => method);
  expect(again).not.toContain("notifications/ide_connected");
});

test("without a folder no project is sent", async () => {
  const { connect } = ideFixture(
    { dialect: jetBrains },
    Object.assign(fakeEditorHost(), { folders: [] }),
  );
  expect(await connect().getReady()).toEqual([]);
});

test.each([
  ["src/main.ts", FILE],
  ["./src/../src/main.ts", FILE],
  [FILE, FILE],
])("the path %s belongs to the project", async (file_path, path) => {
  const { agent, host } = await fixture();
  expect(await agent.call("open_file", { file_path })).toEqual(textResult("OK"));
  await agent.call("set_selection", { file_path, range });
  await agent.call("get_diagnostics", { file_path });
  agent.start("openDiff", { old_file_path: file_path, new_file_contents: "x" });
  await agent.take();
  expect(host.callsOf("reveal")).toEqual([[path, {}]]);
  expect(host.callsOf("select")).toEqual([[path, range]]);
  expect(host.callsOf("diagnostics")).toEqual([[path]]);
  expect(host.shownDiffs).toMatchObject([{ path, title: file_path, outsideWorkspace: false }]);
});

test("a relative path does not lead elsewhere", async () => {
  const { agent, host } = await fixture();
  for (const file_path of ["../other.ts", "src/../../other.ts", ".env"]) {
    for (const [name, more] of [
      ["open_file", {}],
      ["set_selection", { range }],
      ["set_cursor_position", { line: 0, column: 0 }],
      ["get_diagnostics", {}],
    ] as const) {
      expect(await agent.call(name, { file_path, ...more })).toMatchObject({ isError: true });
    }
  }
  expect(host.calls).toEqual([]);
});

test("on Windows a relative path is the first folder's, and answers are native", async () => {
  const { agent, host } = await fixture("selection", { platform: "windows" });
  host.folders = [{ path: posixPath("/c/Project"), name: "Project" }];
  await agent.call("open_file", { file_path: "src\\main.ts" });
  expect(host.callsOf("reveal")).toEqual([["/c/Project/src/main.ts", {}]]);
  const path = posixPath("/c/Project/src/main.ts");
  host.setSelection({ path, ranges: [{ ...range, text: "x" }], primary: 0 });
  expect(await agent.call("get_cursor_position")).toEqual(
    textResult('{"file_path":"C:\\\\Project\\\\src\\\\main.ts","line":3,"column":4}'),
  );
});

test("below the level that shares it, cursor and selection are a file or nothing", async () => {
  const path = await fixture("path");
  path.host.setSelection({ path: FILE, ranges: [{ ...range, text: "x" }], primary: 0 });
  for (const name of ["get_cursor_position", "get_selection"]) {
    expect(await path.agent.call(name)).toEqual(textResult(`{"file_path":"${FILE}"}`));
  }
  const off = await fixture("off");
  off.host.setSelection({ path: FILE, ranges: [{ ...range, text: "x" }], primary: 0 });
  for (const name of ["get_cursor_position", "get_selection"]) {
    expect(await off.agent.call(name)).toEqual(errorResult("No file is open in the editor"));
  }
});

test("without a path the cursor of the active document is set, if there is one", async () => {
  const { agent } = await fixture();
  expect(await agent.call("set_cursor_position", { line: 1, column: 1 })).toEqual(
    errorResult("No document is active; name one by file_path"),
  );
});

test.each([
  [{ line: 1.5, column: 0 }, "start: 1.5:0 is not a 0-based line and column"],
  [{ line: 0, column: -1 }, "start: 0:-1 is not a 0-based line and column"],
  [{ line: 1e300, column: 0 }, "start: 1e+300:0 is not a 0-based line and column"],
])("%j is not a position", async (place, text) => {
  const { agent, host } = await fixture();
  const answer = await agent.call("set_cursor_position", { file_path: FILE, ...place });
  expect(answer).toEqual(errorResult(text));
  expect(host.calls).toEqual([]);
});
