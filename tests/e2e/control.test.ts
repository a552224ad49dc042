import { once } from "node:events";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { quiet, sh, socketsOf, untilControlled } from "../src/control-context.ts";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  openServedSession,
  openWorkspace,
  startClient,
  startServe,
  write,
} from "../src/reference-clients/serve-context.ts";

// The commands of key bindings: `idewire select` and its like, from a shell.

test("shell commands reach the agents of the folder", async () => {
  const { workspace, client, serve } = await openServedSession();
  await untilControlled(workspace);
  mkdirSync(join(workspace.folder, "notes"));
  writeFileSync(join(workspace.folder, "notes", "plan ü.md"), "one\ntwo\nthree\n");

  expect(await sh(workspace, 'idewire select "notes/plan ü.md:2-3"')).toEqual(quiet);
  await client.until("the selection", () => client.inbox.context?.text === "two\nthree");
  const below = join(workspace.folder, "notes");
  expect(await sh(workspace, 'idewire select "plan ü.md:1:2-1:3"', below)).toEqual(quiet);
  await client.until("the next one", () => client.inbox.context?.text === "n");
  const unsaved = `printf 'changed\\nand longer\\n' | idewire select "plan ü.md:2-3" --text -`;
  expect(await sh(workspace, unsaved, below)).toEqual(quiet);
  await client.until("unsaved text", () => client.inbox.context?.text === "changed\nand longer");

  expect(await sh(workspace, 'idewire mention "notes/plan ü.md:1-2"')).toEqual(quiet);
  await client.until("the mention", () => client.promptInput.includes("plan ü.md#L1-2"));
  expect(await sh(workspace, "idewire clear")).toEqual(quiet);
  await client.until("no selection", () => client.badge === undefined);
  expect(await sh(workspace, 'idewire open "notes/plan ü.md"')).toEqual(quiet);
  await client.until("the active file", () => client.badge === "⧉ In plan ü.md");

  const lint = `printf 'notes/plan ü.md:2:1: warning: too short\\n' | idewire diagnose`;
  expect(await sh(workspace, lint)).toEqual(quiet);
  const received = JSON.stringify(await client.callAsModel("getDiagnostics", {}).reply);
  expect(received).toContain("too short");
  expect(await sh(workspace, "idewire diagnose --clear")).toEqual(quiet);
  const after = JSON.stringify(await client.callAsModel("getDiagnostics", {}).reply);
  expect(after).not.toContain("too short");
  await client.exit();
  expect(client.violations, serve.describe()).toEqual([]);
});

test("the editor is found by the file, by --cwd, and through a link", async () => {
  const { workspace, client } = await openServedSession();
  await untilControlled(workspace);
  const file = join(workspace.folder, "a.txt");
  writeFileSync(file, "first\nsecond\n");
  const elsewhere = workspace.fixture.root;
  expect(await sh(workspace, `idewire select "${file}:2"`, elsewhere)).toEqual(quiet);
  await client.until("the selection", () => client.inbox.context?.text === "second");
  symlinkSync(workspace.folder, join(elsewhere, "link"));
  expect(await sh(workspace, "idewire select a.txt:1 --cwd link", elsewhere)).toEqual(quiet);
  await client.until("the next one", () => client.inbox.context?.text === "first");
});

test("agents receive the problems of a compiler's output in the folder's files, however many", async () => {
  const { workspace, client } = await openServedSession();
  writeFileSync(join(workspace.folder, "a.c"), "one\n");
  writeFileSync(join(workspace.folder, ".env"), "KEY=secret\n");
  writeFileSync(join(workspace.fixture.root, "b.c"), "one\n");
  const received = async () => JSON.stringify(await client.callAsModel("getDiagnostics", {}).reply);
  const mixed = [
    "/etc/passwd:1: note: far",
    "../b.c:1: beside",
    "missing.c:1: gone",
    ".env:1: kept",
  ];
  const output = [...mixed, "a.c:1:1: error: ours", "a.c:1:1: error: ours"].join("\n");
  writeFileSync(join(workspace.fixture.root, "output"), `${output}\n`);
  expect(await sh(workspace, "idewire diagnose < ../output")).toEqual(quiet);
  expect((await received()).split("ours")).toHaveLength(2);
  expect(await received()).not.toMatch(/passwd|beside|gone|kept/);

  const many = `i=0; while [ $i -lt 100 ]; do echo "a.c:$i: error: many $i"; i=$((i+1)); done`;
  const endless = `(${many}; yes "a.c:7:1: error: many $(printf %03000d 0)" | head -n 20000)`;
  expect(await sh(workspace, `${endless} | idewire diagnose`)).toEqual(quiet);
  expect(await received()).toMatch(/many 1\b.*many 99/);
  expect(await received()).not.toContain("ours");

  writeFileSync(join(workspace.fixture.root, "output"), `${mixed.join("\n")}\n`);
  const { code, output: words } = await sh(workspace, "idewire diagnose < ../output");
  expect([code, words.trimEnd().split("\n").length]).toEqual([1, 1]);
  expect(words).toContain(`none of the problems is in ${workspace.folder}; /etc/passwd is outside`);
  expect(words).toContain("nothing was changed");
  expect(await received()).toContain("many 99");
});

test("failures are reported in one line, with the remedy", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "a.txt"), "one\n");
  writeFileSync(join(workspace.fixture.root, "b.txt"), "one\n");
  expect(await sh(workspace, "idewire clear")).toEqual({
    code: 1,
    output: `idewire clear: no editor serves ${workspace.folder} or a folder above it; start one there: idewire serve\n`,
  });
  await startServe(workspace).event("listening");
  await untilControlled(workspace);
  const cases = [
    ["mention a.txt", "no agent is connected, so none received it"],
    ["select a.txt:7-9", "line 7 is outside 1–2"],
    ["select a.txt:1-2 --text one", "the text has 1 lines, the range has 2"],
    ["mention missing.txt", "missing.txt does not exist"],
    ["open ../b.txt", "is outside the workspace folder"],
  ] as const;
  for (const [line, words] of cases) {
    const { code, output } = await sh(workspace, `idewire ${line} --cwd .`);
    expect([code, output.trimEnd().split("\n").length]).toEqual([1, 1]);
    expect(output).toContain(words);
  }
  expect(await sh(workspace, "idewire open")).toMatchObject({ code: 2 });
  expect(await sh(workspace, "idewire select a.txt")).toEqual({
    code: 2,
    output: "idewire select: Which lines of a.txt? For example: select a.txt:10-20\n",
  });
});

test("the socket is private to the user, is removed on close, and replaces one left by a crash", async () => {
  const workspace = openWorkspace();
  const first = startServe(workspace);
  await first.event("listening");
  const socket = await untilControlled(workspace);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  first.kill("SIGKILL");
  await first.exited;
  expect(socketsOf(workspace)).toEqual([socket]);
  expect((await sh(workspace, "idewire clear")).output).toContain("no editor serves");

  const second = startServe(workspace);
  await second.event("listening");
  await expect.poll(async () => (await sh(workspace, "idewire clear")).code).toBe(0);
  second.endInput();
  second.type({ do: "stop" });
  await second.exited;
  expect(socketsOf(workspace)).toEqual([]);
});

test("garbage sent to the socket is harmless", async () => {
  const workspace = openWorkspace();
  const serve = startServe(workspace);
  await serve.event("listening");
  const socket = connect(await untilControlled(workspace));
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write('garbage\n{"jsonrpc":"2.0","id":1,"method":"editor/open","params":{"path":7}}\n');
  let output = "";
  socket.on("data", (chunk) => {
    output += String(chunk);
  });
  await expect.poll(() => output).toContain("path: expected string, got 7");
  expect(output).toContain("-32700");
  expect(await sh(workspace, "idewire clear")).toEqual(quiet);
  serve.type({ do: "stop" });
  expect(await serve.exited).toEqual({ code: 0, signal: null });
});

test("a state directory too deep for a socket disables only the commands of other terminals", async () => {
  const workspace = openWorkspace();
  const deep = join(workspace.fixture.root, "x".repeat(100));
  const env = { ...workspace.env, XDG_STATE_HOME: deep };
  const place = { ...workspace, env };
  const serve = startServe(place);
  await serve.event("listening");
  const fault = "more than the 103 of a socket's path: choose a shorter XDG_STATE_HOME";
  await expect.poll(() => serve.output).toContain(fault);
  const client = await startClient(place);
  await client.untilReady();
  await serve.do({ do: "open", path: write(workspace, "a.md", "one\n") });
  await client.until("the file", () => client.badge === "⧉ In a.md");
  expect(serve.output.split(fault)).toHaveLength(2);
  // Commands that look for the socket report the same fault.
  for (const line of ["idewire clear", "idewire serve --script"]) {
    const { code, output } = await sh(place, line);
    expect([code, output.includes(fault)], output).toEqual([1, true]);
  }
});

test("an editor behind stdio accepts the commands that it has announced", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "a.txt"), "one\ntwo\n");
  const host = new LineProgram(process.execPath, [builtBin, "host", "--stdio"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  const params = {
    protocol: 1,
    name: "ed",
    members: ["select"],
    state: { folders: [{ path: workspace.folder }] },
  };
  host.type({ jsonrpc: "2.0", id: 1, method: "host/hello", params });
  await host.shows('"host/listening"');
  await untilControlled(workspace);
  const selecting = sh(workspace, "idewire select a.txt:2");
  await host.shows('"method":"host/select"');
  const [, id] = /"id":(\d+),"method":"host\/select"/.exec(host.output) ?? [];
  const path = JSON.stringify(join(workspace.folder, "a.txt"));
  expect(host.output).toContain(
    `"params":{"path":${path},"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`,
  );
  host.type({ jsonrpc: "2.0", id: Number(id), result: null });
  expect(await selecting).toEqual(quiet);
  expect(await sh(workspace, "idewire mention a.txt")).toMatchObject({ code: 1 });

  const other = join(workspace.fixture.root, "other");
  mkdirSync(other);
  host.type({ jsonrpc: "2.0", method: "host/state", params: { folders: [{ path: other }] } });
  const clearing = () => sh(workspace, "idewire clear", other);
  await expect
    .poll(async () => (await clearing()).output)
    .toContain("ed does not support the command");
  await expect
    .poll(async () => (await sh(workspace, "idewire clear")).output)
    .toContain("no editor serves");
  host.type({
    jsonrpc: "2.0",
    method: "host/state",
    params: { folders: [{ path: workspace.folder }] },
  });
  await expect
    .poll(async () => (await sh(workspace, "idewire clear")).output)
    .toContain("ed does not");
  expect((await sh(workspace, "idewire clear")).output).toBe(
    "idewire clear: ed does not support the command clearSelection; use ed itself\n",
  );
});
