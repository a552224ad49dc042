import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";

// Editors in other languages, in separate processes, behind `idewire host --stdio`.

const examples = new URL("../../examples/any-editor/", import.meta.url);

function locksOf({ env }: Workspace): string[] {
  const folder = join(env.CLAUDE_CONFIG_DIR ?? "", "ide");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("the Python example has at most 60 lines of 100 characters, and no library", () => {
  const lines = readFileSync(new URL("host.py", examples), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(60);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const imports = lines.filter((line) => /^\s*(import|from) /.test(line));
  expect(imports).toEqual(["import json, os, subprocess, sys, threading"]);
});

test("an editor in Python shows its selection; a change is accepted, another rejected", async () => {
  const workspace = openWorkspace();
  const { folder } = workspace;
  const file = join(folder, "a.txt");
  writeFileSync(file, "one\nzwei ü 🚀\nthree\n");
  const host = fileURLToPath(new URL("host.py", examples));
  const editor = new LineProgram("python3", [host, folder, process.execPath, builtBin], {
    env: { ...workspace.env, PYTHONIOENCODING: "utf-8" },
    cwd: folder,
  });
  await editor.shows("agents can find ");
  expect(locksOf(workspace)).toHaveLength(1);

  const client = await startClient(workspace);
  await client.untilReady();
  await editor.shows("connected: claude-code");
  editor.type("select a.txt 1 2");
  await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
  expect(client.inbox.context?.text).toBe("one\nzwei ü 🚀");
  editor.type("mention a.txt");
  await client.until("the mention", () => client.promptInput.includes("a.txt"));

  const accepted = client.edit(file, "good ✓\n");
  await editor.shows("good ✓\n");
  editor.type("accept");
  expect(await accepted.result).toMatchObject({ by: "ide", written: "good ✓\n" });
  const rejected = client.edit(file, "bad\n");
  await editor.shows("bad\n");
  editor.type("reject");
  expect(await rejected.result).toMatchObject({ by: "ide", decision: "rejected" });

  const elsewhere = client.edit(file, "elsewhere\n");
  await editor.shows("elsewhere\n");
  elsewhere.answerInTerminal("accept");
  expect(await elsewhere.result).toMatchObject({ by: "terminal", written: "elsewhere\n" });
  const last = client.edit(file, "last\n");
  await editor.shows("last\n");
  editor.type("accept");
  expect(await last.result).toMatchObject({ by: "ide", written: "last\n" });

  editor.type("clear");
  await client.until("no selection", () => client.badge === undefined);
  await client.exit();
  expect(client.violations).toEqual([]);
  editor.type("quit");
  expect(await editor.exited, editor.describe()).toBe(0);
  expect(locksOf(workspace)).toEqual([]);
});

test("an editor in sh shows a line, and accepts", async () => {
  const workspace = openWorkspace();
  const { folder } = workspace;
  const file = join(folder, "a.txt");
  writeFileSync(file, "first line\nsecond\n");
  const command = join(workspace.fixture.root, "idewire");
  symlinkSync(builtBin, command);
  const editor = new LineProgram(
    "sh",
    [fileURLToPath(new URL("host.sh", examples)), folder, "a.txt"],
    {
      // If it is killed, its pipes are removed with the workspace.
      env: { ...workspace.env, IDEWIRE: command, TMPDIR: workspace.fixture.root },
      cwd: folder,
    },
  );
  const client = await startClient(workspace);
  await client.untilReady();
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");
  expect(client.inbox.context?.text).toBe("first line");
  expect(await client.edit(file, "new\n").result).toMatchObject({ by: "ide", written: "new\n" });
  await client.exit();
  expect(client.violations).toEqual([]);
  expect(editor.errors).toBe("");
});

/** `idewire host --stdio`, with the test itself as the editor. */
function startHost(workspace: Workspace, ...flags: readonly string[]): LineProgram {
  return new LineProgram(process.execPath, [builtBin, "host", "--stdio", ...flags], {
    env: workspace.env,
    cwd: workspace.folder,
  });
}

function hello(folders: readonly string[]) {
  const state = { folders: folders.map((path) => ({ path })) };
  return { jsonrpc: "2.0", id: 1, method: "host/hello", params: { protocol: 1, name: "t", state } };
}

test("each mistake of an editor is reported to it and to the person, and ends nothing", async () => {
  const workspace = openWorkspace();
  const host = startHost(workspace, "--name", "Mein Editor ü");
  host.type('{"jsonrpc":"2.0","id":1,"method":"host/hello"}');
  await host.shows('"host/hello: params: expected object, got nothing"');
  host.type(hello([workspace.folder]));
  await host.shows('"host/listening"');
  host.type("no JSON");
  await host.shows('"id":null,"error":{"code":-32700');
  host.type('{"jsonrpc":"2.0","method":"host/sate","params":{}}');
  await host.shows('"host/problem","params":{"message":"host/sate: there is no such method"}');
  host.type('{"jsonrpc":"2.0","method":"host/state","params":{"documents":[{"path":"a.txt"}]}}');
  await host.shows(
    'host/state: documents.0.path: expected an absolute posix path, got \\"a.txt\\"',
  );
  const [lock] = locksOf(workspace);
  const text = readFileSync(join(workspace.env.CLAUDE_CONFIG_DIR ?? "", "ide", lock ?? ""), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    ideName: "Mein Editor ü",
    workspaceFolders: [workspace.folder],
  });
  host.endInput();
  expect(await host.exited).toBe(0);
  expect(locksOf(workspace)).toEqual([]);
  for (const words of ["not JSON", "host/sate", "documents.0.path"]) {
    expect(host.errors).toContain(words);
  }
});

test("an editor without a folder, and one that disconnects before its hello, cannot be served", async () => {
  const workspace = openWorkspace();
  const without = startHost(workspace);
  without.type(hello([]));
  expect(await without.exited).toBe(1);
  expect(without.output).toContain("state.folders: expected at least one folder");
  expect(without.errors).toContain("state.folders: expected at least one folder");
  const silent = startHost(workspace);
  silent.endInput();
  expect(await silent.exited).toBe(1);
  expect(silent.errors).toContain("before host/hello");
});

test("a signal ends it with its own code, and removes the lock file", async () => {
  const workspace = openWorkspace();
  const host = startHost(workspace);
  host.type(hello([workspace.folder]));
  await host.shows('"host/listening"');
  host.kill("SIGTERM");
  expect(await host.exited).toBe(143);
  expect(locksOf(workspace)).toEqual([]);
});

test("an editor that dies with a pending change leaves it to the terminal", async () => {
  const workspace = openWorkspace();
  const file = join(workspace.folder, "a.txt");
  writeFileSync(file, "old\n");
  const host = startHost(workspace);
  const helloRequest = hello([workspace.folder]);
  host.type({ ...helloRequest, params: { ...helloRequest.params, members: ["openDiff"] } });
  const client = await startClient(workspace);
  await client.untilReady();
  const edit = client.edit(file, "new\n");
  await host.shows('"host/openDiff"');
  host.endInput();
  expect(await host.exited).toBe(0);
  await client.until("the terminal asks", () => edit.asking === "terminal-only");
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal", written: "new\n" });
});
