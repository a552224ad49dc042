import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../src/reference-clients/serve-context.ts";

// Reports of `idewire host --stdio` to an editor, and the editor's requests.

function startHost(workspace: Workspace, hello: object = {}, ...flags: readonly string[]) {
  const host = new LineProgram(process.execPath, [builtBin, "host", "--stdio", ...flags], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  const state = { folders: [{ path: workspace.folder }] };
  host.type({
    ...{ jsonrpc: "2.0", id: 1, method: "host/hello" },
    params: { protocol: 1, name: "t", state, ...hello },
  });
  return host;
}

function selectionOf(path: string) {
  const start = { line: 0, character: 0 };
  const ranges = [{ start, end: { line: 0, character: 3 }, text: "one" }];
  return { selection: { path, ranges } };
}

test("a share level that changes while agents are connected withdraws what they have received", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const host = startHost(workspace, {}, "--exclude", "*.log");
  await host.shows('"share":{"level":"selection","exclude":["*.log"]}');
  const client = await startClient(workspace);
  await client.untilReady();
  host.type({ jsonrpc: "2.0", method: "host/state", params: selectionOf(path) });
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");
  host.type({ jsonrpc: "2.0", id: 2, method: "host/share", params: { level: "path" } });
  await host.shows('"id":2,"result":{"level":"path"}');
  await client.until("the path alone", () => client.badge === "⧉ In a.txt");
  const exclude = { level: "selection", exclude: ["a.*"] };
  host.type({ jsonrpc: "2.0", id: 3, method: "host/share", params: exclude });
  await client.until("nothing", () => client.badge === undefined);
  await host.shows('"share":{"level":"selection","exclude":["*.log","a.*"]}');
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("agents are listed with their process and dialect, commands of idewire are not", async () => {
  const workspace = openWorkspace();
  const host = startHost(workspace);
  await host.shows('"folders":[{"path":');
  const tail = new LineProgram(process.execPath, [builtBin, "tail", "--json"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  await tail.shows('"event":"connected"');
  const client = await startClient(workspace);
  await client.untilReady();
  await host.shows(
    /"agents":\[\{"session":"s\d+","name":"claude-code",[^[\]]*"dialect":"claude-code","pid":\d+\}\]/,
  );
  expect(host.output).not.toContain('"name":"idewire"');
  await client.exit();
  await host.shows('"agents":[]');
});

test("a mention names the agents that receive it, or the reason why none does", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "sub/a.txt", "one\n");
  const host = startHost(workspace, { events: ["warning"] });
  await host.shows('"host/listening"');
  host.type({ jsonrpc: "2.0", id: 2, method: "host/mention", params: { path } });
  await host.shows(
    '"id":2,"error":{"code":1,"message":"no agent is connected, so none received it"}',
  );
  await host.shows(
    '"host/warning","params":{"code":"mention-lost","message":"no agent is connected',
  );
  const client = await startClient(workspace);
  await client.untilReady();
  const folder = join(workspace.folder, "sub");
  host.type({ jsonrpc: "2.0", id: 3, method: "host/mention", params: { path: folder } });
  await host.shows(/"id":3,"result":\{"sessions":\["s\d+"\]\}/);
  await client.until("the mention", () => client.promptInput.includes("@sub"));
  host.type({ jsonrpc: "2.0", id: 4, method: "host/mention", params: { path, session: "s99" } });
  await host.shows('"id":4,"error":{"code":1,"message":"no agent received it: none is s99"}');
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a folder that a process serves which cannot be joined is reported as a warning with its path", async () => {
  const workspace = openWorkspace();
  const first = startHost(workspace);
  await first.shows('"host/listening"');
  // As with an older idewire, which no other process can join.
  const state = join(workspace.env.HOME, ".local/state/idewire");
  for (const name of readdirSync(state)) if (name.endsWith(".sock")) rmSync(join(state, name));
  const second = startHost(workspace, { events: ["warning"] });
  await second.shows('"host/warning","params":{"code":"folder-in-use"');
  await second.shows(`"path":${JSON.stringify(workspace.folder)}`);
  expect(await second.exited).toBe(1);
});

test("an editor is notified at once that an accepted diff has been written", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const host = startHost(workspace, { members: ["openDiff"], events: ["written"] });
  await host.shows('"host/listening"');
  const client = await startClient(workspace);
  await client.untilReady();
  const edit = client.edit(path, "two\n");
  await host.shows('"host/openDiff"');
  const [, id] = /"id":(\d+),"method":"host\/openDiff"/.exec(host.output) ?? [];
  host.type({ jsonrpc: "2.0", id: Number(id), result: { kind: "accepted" } });
  expect(await edit.result).toMatchObject({ by: "ide", written: "two\n" });
  await host.shows(`"host/written","params":{"path":${JSON.stringify(path)},"session":`);
  await host.shows('"reviewed":true');
  await client.exit();
});

test("an open document that is written without a review is reported, unless the editor saves it", async () => {
  const workspace = openWorkspace();
  const [a, b] = ["a.txt", "b.txt"].map((name) => write(workspace, name, "one\n"));
  const host = startHost(workspace, { events: ["written"] });
  await host.shows('"host/listening"');
  const documents = (dirty: boolean) => [{ path: a, dirty, active: true }, { path: b }];
  const report = (dirty: boolean) =>
    host.type({ jsonrpc: "2.0", method: "host/state", params: { documents: documents(dirty) } });
  report(true);
  const client = await startClient(workspace);
  await client.untilReady();
  await host.shows('"dialect":"claude-code","pid":');
  writeFileSync(a ?? "", "two\n");
  report(false);
  writeFileSync(b ?? "", "two\n");
  await host.shows(`"host/written","params":{"path":${JSON.stringify(b)},`);
  await host.shows('"reviewed":false');
  expect(host.output).not.toContain(`"params":{"path":${JSON.stringify(a)}`);
  await client.exit();
});

test("an editor can read what agents were sent, verbatim", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const host = startHost(workspace);
  await host.shows('"host/listening"');
  const client = await startClient(workspace);
  await client.untilReady();
  host.type({ jsonrpc: "2.0", method: "host/state", params: selectionOf(path) });
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");
  host.type({ jsonrpc: "2.0", id: 2, method: "host/sent", params: {} });
  await host.shows('"id":2,"result":{"messages":[');
  const [, line = ""] = /^(\{.*"id":2,"result".*)$/m.exec(host.output) ?? [];
  const { messages } = JSON.parse(line).result;
  expect(messages.at(-1)).toMatchObject({ session: expect.stringMatching(/^s\d+$/) });
  expect(JSON.parse(messages.at(-1).frame)).toMatchObject({
    method: "selection_changed",
    params: { text: "one", filePath: path },
  });
  await client.exit();
});
