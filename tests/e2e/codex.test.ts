import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeCode, codex, createPathMap, type PosixPath } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { deliveryOf } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  CodexClient,
  OPEN_IDE_HINT,
  readFrames,
  writeFrame,
} from "../src/reference-clients/codex-client.ts";
import { ScriptedServe } from "../src/reference-clients/scripted-serve.ts";
import { removeFolder } from "../src/remove-folder.ts";

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "idewire-")));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** A user with a temporary folder for the sockets of editors and agents. */
function openContext() {
  const env = { HOME: temporary(), TMPDIR: temporary() };
  const hub = join(env.TMPDIR, "codex-ipc", `ipc-${process.getuid?.() ?? 0}.sock`);
  const open = async (options: Partial<ListenIdeOptions> = {}, folder = temporary()) => {
    const editor = new InMemoryEditor({
      ...{ name: "Test Editor", version: "1.0.0" },
      folder: { path: posixPath(folder), name: "work" },
    });
    const pathOf = (name: string) => posixPath(join(folder, name));
    editor.writeFile(pathOf("a.md"), "one\ntwo\n");
    editor.writeFile(pathOf("b.md"), "b\n");
    const share = { level: "all" } as const;
    const listener = await listenIde(editor, { dialects: [codex], env, share, ...options });
    onTestFinished(() => listener.close());
    return { ...{ folder, editor, pathOf, listener }, agent: agentIn(folder) };
  };
  const agentIn = (cwd: string, deadlineMs?: number) =>
    new CodexClient({ env, cwd, ...(deadlineMs !== undefined && { deadlineMs }) });
  return { env, hub, open, agentIn };
}

function select(editor: InMemoryEditor, path: PosixPath, text: string): void {
  editor.open(path);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: text.length } };
  editor.setSelection({ path, ranges: [{ ...range, text }], primary: 0 });
}

/** A listener's warnings so far, to which later ones are added. */
function warningsOf(listener: IdeListener): string[] {
  const found = listener.warnings.map(({ message }) => message);
  listener.on("warning", ({ message }) => found.push(message));
  return found;
}

// "the client connects once, and once for each prompt" (docs/clients/codex.md, Connection).
test("Codex CLI finds the editor, and receives the selection and the open files at each prompt", async () => {
  const { open } = openContext();
  const { editor, pathOf, agent } = await open();
  editor.open(pathOf("b.md"));
  select(editor, pathOf("a.md"), "on");
  // "Positions are 0-based"; "`openTabs`" (docs/clients/codex.md, Request).
  const file = { label: "a.md", path: "a.md", fsPath: pathOf("a.md") };
  const { activeFile, openTabs } = await agent.context();
  expect(activeFile).toEqual({
    ...file,
    selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } },
    activeSelectionContent: "on",
    selections: [],
  });
  expect(openTabs).toContainEqual(file);
  expect(openTabs.map(({ path }) => path).sort()).toEqual(["a.md", "b.md"]);
  select(editor, pathOf("b.md"), "b");
  expect(await agent.prompt()).toContain("## Active selection of the file:\nb\n");
});

test("Codex CLI in a folder below the editor's is answered", async () => {
  const { open, agentIn } = openContext();
  const { folder, editor, pathOf } = await open();
  mkdirSync(join(folder, "sub"));
  select(editor, pathOf("a.md"), "one");
  expect(await agentIn(join(folder, "sub")).prompt()).toContain(
    `## Active file: ${pathOf("a.md")}`,
  );
});

/** A link to a folder, which an agent may use as its path. */
function linkTo(folder: string): string {
  const link = join(temporary(), "link");
  symlinkSync(folder, link);
  return link;
}

test("a folder that Codex CLI, or the editor, names by a link is answered by its own editor", async () => {
  const { open, agentIn } = openContext();
  const byLink = linkTo(temporary());
  const [one, two, three] = [await open(), await open(), await open({}, byLink)];
  for (const { folder, pathOf, editor } of [one, two, three]) {
    mkdirSync(join(folder, "sub"));
    select(editor, pathOf("a.md"), folder);
    const named = [linkTo(folder), join(linkTo(folder), "sub"), linkTo(join(folder, "sub"))];
    for (const name of [...named, realpathSync(folder)]) {
      const { activeFile } = await agentIn(name).context();
      expect(activeFile).toMatchObject({ activeSelectionContent: folder, fsPath: pathOf("a.md") });
    }
    expect((await agentIn(linkTo(folder)).context()).activeFile?.path).toBe("a.md");
  }
});

test("a link in the editor's folder that leads out of it does not belong to the editor", async () => {
  const { open, agentIn } = openContext();
  const { folder } = await open();
  symlinkSync(temporary(), join(folder, "out"));
  await expect(agentIn(join(folder, "out")).context()).rejects.toThrow("no-client-found");
});

// "The model reads the context as Markdown" (docs/clients/codex.md, Request).
test("without a selection or an open file, the model receives no context of the editor", async () => {
  const { open } = openContext();
  const { agent } = await open();
  expect(await agent.context()).toEqual({ openTabs: [] });
  expect(await agent.prompt()).toBe("");
});

test("in a folder that no editor serves, Codex CLI gets the error for that", async () => {
  const { open, agentIn } = openContext();
  const { folder, listener } = await open();
  for (const other of [temporary(), "/", join(folder, "..")]) {
    await expect(agentIn(other).context()).rejects.toThrow("no-client-found");
  }
  expect(listener.endpoints[0]).not.toHaveProperty("asked");
});

// "None: the place is fixed" (docs/clients/codex.md, Discovery).
test("Codex CLI finds the editor after a restart", async () => {
  const { open, hub } = openContext();
  const first = await open();
  await first.agent.context();
  await first.listener.close();
  expect(existsSync(hub)).toBe(false);
  await expect(first.agent.context()).rejects.toThrow(OPEN_IDE_HINT);
  const second = await open();
  expect(await second.agent.context()).toEqual({ openTabs: [] });
});

// "`idewire list` shows when it last asked" (docs/clients/codex.md, From nothing to the first prompt).
test("a prompt of Codex CLI emits no events of a connection", async () => {
  const { open } = openContext();
  const { agent, listener } = await open();
  const events: string[] = [];
  for (const name of ["connected", "initialized", "ready", "disconnected"] as const) {
    listener.on(name, () => events.push(name));
  }
  listener.on("call", ({ agent: asks }, { method }) => {
    events.push(asks?.title === undefined ? method : `${asks.title} ${method}`);
  });
  await agent.context();
  await expect.poll(() => listener.endpoints[0]?.asked?.agent).toBe("Codex CLI");
  const called = ["notifications/initialized", "tools/call"].map((name) => `Codex CLI ${name}`);
  expect(events).toEqual(["initialize", ...called]);
  expect(listener.sessions.size).toBe(0);
});

test("the socket is private to the user, in a folder of its own, and is removed with the editor", async () => {
  const { open, hub } = openContext();
  const { listener } = await open();
  expect(statSync(dirname(hub)).mode & 0o777).toBe(0o700);
  expect(lstatSync(hub).isSocket()).toBe(true);
  expect(statSync(hub).mode & 0o777).toBe(0o600);
  expect(listener.endpoints).toMatchObject([
    { dialect: "codex", kind: "frames", url: `unix:${hub}` },
  ]);
  await listener.close();
  expect(readdirSync(dirname(hub))).toEqual([]);
});

test("agents elsewhere, whose paths are mapped, are offered no socket", async () => {
  const { open, hub } = openContext();
  const { listener } = await open({
    dialects: [claudeCode, codex],
    pathMap: createPathMap([{ host: tmpdir(), agent: "/workspace" }]),
  });
  expect(listener.endpoints.map(({ dialect }) => dialect)).toEqual(["claude-code"]);
  expect(existsSync(hub)).toBe(false);
});

test("two editors share the socket: each folder is answered by its own", async () => {
  const { open } = openContext();
  const [one, two] = [await open(), await open()];
  for (const { editor, pathOf, folder } of [one, two]) select(editor, pathOf("a.md"), folder);
  for (const { agent, folder, pathOf } of [one, two]) {
    const { activeFile } = await agent.context();
    expect(activeFile).toMatchObject({ activeSelectionContent: folder, fsPath: pathOf("a.md") });
  }
  for (const { listener } of [one, two]) expect(listener.warnings).toEqual([]);
});

test("the share policy is that of the editor that serves the folder", async () => {
  const { open } = openContext();
  const [one, two] = [await open(), await open({ share: { level: "off" } })];
  for (const { editor, pathOf } of [one, two]) select(editor, pathOf("a.md"), "one");
  expect(await two.agent.context()).toEqual({ openTabs: [] });
  expect((await one.agent.context()).activeFile).toBeDefined();
});

test("when the listening editor has closed, another listens within seconds", async () => {
  const { open } = openContext();
  const [one, two] = [await open(), await open()];
  await one.listener.close();
  const context = () => two.agent.context().catch(() => undefined);
  await expect.poll(context).toEqual({ openTabs: [] });
  await expect(one.agent.context()).rejects.toThrow("no-client-found");
});

test("an editor that restarts beside another is served again", async () => {
  const { open, agentIn } = openContext();
  const one = await open();
  const two = await open();
  await two.listener.close();
  await expect(two.agent.context()).rejects.toThrow("no-client-found");
  const three = await open();
  expect(await agentIn(three.folder).context()).toEqual({ openTabs: [] });
  expect(one.listener.warnings).toEqual([]);
});

/** Another program that listens for Codex CLI, like the extension for VS Code. */
async function listenAsAnother(hub: string): Promise<Server> {
  mkdirSync(dirname(hub), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    readFrames(socket, ({ requestId }) => {
      writeFrame(socket, { type: "response", requestId, resultType: "error", error: "foreign" });
    });
  });
  await new Promise<void>((resolve) => server.listen(hub, resolve));
  return server;
}

test("another program's socket is left alone with a warning, and replaced when it is dead", async () => {
  const { open, hub } = openContext();
  const foreign = await listenAsAnother(hub);
  const { inode } = { inode: lstatSync(hub).ino };
  const { agent, listener } = await open();
  const warnings = warningsOf(listener);
  await expect.poll(() => warnings).toHaveLength(1);
  expect(warnings[0]).toContain(`Codex CLI cannot connect: another program listens at ${hub}`);
  expect(lstatSync(hub).ino).toBe(inode);
  await expect(agent.context()).rejects.toThrow("foreign");
  await new Promise((resolve) => foreign.close(resolve));
  await expect.poll(() => agent.context().catch(() => undefined)).toEqual({ openTabs: [] });
  expect(warnings).toHaveLength(1);
});

test("a socket that another program puts in the place of ours is left alone", async () => {
  const { open, hub } = openContext();
  const { agent, listener } = await open();
  const warnings = warningsOf(listener);
  rmSync(hub);
  const foreign = await listenAsAnother(hub);
  onTestFinished(() => void foreign.close());
  await expect.poll(() => warnings).toHaveLength(1);
  await expect(agent.context()).rejects.toThrow("foreign");
  await listener.close();
  expect(existsSync(hub)).toBe(true);
});

test("a removed socket is created again", async () => {
  const { open, hub } = openContext();
  const { agent } = await open();
  rmSync(dirname(hub), { recursive: true });
  await expect.poll(() => agent.context().catch(() => undefined)).toEqual({ openTabs: [] });
});

test("a file in the place of the socket is left alone with a warning", async () => {
  const { open, hub } = openContext();
  mkdirSync(dirname(hub), { mode: 0o700 });
  writeFileSync(hub, "mine");
  const { listener } = await open();
  expect(warningsOf(listener)).toEqual([
    `Codex CLI cannot connect: ${hub} is no socket; remove it`,
  ]);
});

// "There are no diffs and no mentions" (docs/clients/codex.md, From nothing to the first prompt).
test("a mention that Codex CLI cannot receive is reported", async () => {
  const { open } = openContext();
  const { agent, listener, pathOf } = await open();
  await agent.context();
  expect(() => deliveryOf({ path: pathOf("a.md") }, listener)).toThrow(
    "no agent received it: Codex CLI cannot be sent a mention",
  );
});

/** Runs `idewire serve` in a new folder with a selected word in a file. */
async function serve(env: { readonly HOME: string; readonly TMPDIR: string }, word: string) {
  const folder = temporary();
  writeFileSync(join(folder, "a.md"), `${word}\n`);
  const run = new ScriptedServe({ folder, env });
  onTestFinished(() => run.close());
  await run.event("listening");
  const end = { line: 0, character: word.length };
  await run.do({ do: "select", path: "a.md", range: { start: { line: 0, character: 0 }, end } });
  const agent = new CodexClient({ env, cwd: folder });
  const prompt = () => agent.prompt().catch((error: Error) => error.message);
  return { folder, run, prompt };
}

test("of two servers, the second takes over when the first is killed, and serves both after its restart", async () => {
  const { env, hub } = openContext();
  const first = await serve(env, "first");
  const second = await serve(env, "second");
  expect(await first.prompt()).toContain("Active selection of the file:\nfirst");
  expect(await second.prompt()).toContain("Active selection of the file:\nsecond");
  first.run.kill("SIGKILL");
  await first.run.exited;
  expect(existsSync(hub)).toBe(true);
  await expect.poll(second.prompt).toContain("Active selection of the file:\nsecond");
  expect(await first.prompt()).toBe("no-client-found");
  const again = new ScriptedServe({ folder: first.folder, env });
  onTestFinished(() => again.close());
  await again.event("listening");
  await expect.poll(first.prompt).toBe("");
  expect(await second.prompt()).toContain("second");
  expect(`${second.run.output}${again.output}`).not.toContain("Codex CLI cannot connect");
});

test("a suspended editor (Ctrl-Z) does not keep Codex CLI from the others, and is served once resumed", async () => {
  const { env, hub } = openContext();
  const first = await serve(env, "first");
  const second = await serve(env, "second");
  const third = await serve(env, "third");
  first.run.kill("SIGSTOP");
  await expect.poll(second.prompt).toContain("Active selection of the file:\nsecond");
  await expect.poll(third.prompt).toContain("Active selection of the file:\nthird");
  expect(await first.prompt()).toBe("no-client-found");
  first.run.kill("SIGCONT");
  await expect.poll(first.prompt).toContain("Active selection of the file:\nfirst");
  // The current listener hands over in order, since it holds the lock.
  expect(readdirSync(dirname(hub)).length).toBe(2);
  for (const { run } of [second, third]) {
    run.kill("SIGTERM");
    await run.exited;
  }
  await expect.poll(first.prompt).toContain("Active selection of the file:\nfirst");
  for (const { run } of [first, second, third]) {
    expect(run.output).not.toContain("Codex CLI cannot connect");
  }
});

test("the socket of another program, in the place of a suspended editor's, is left alone", async () => {
  const { env, hub } = openContext();
  const first = await serve(env, "first");
  expect(await first.prompt()).toContain("first");
  first.run.kill("SIGSTOP");
  rmSync(hub);
  const foreign = await listenAsAnother(hub);
  onTestFinished(() => void foreign.close());
  const second = await serve(env, "second");
  await expect.poll(() => second.run.output).toContain("another program listens at");
  expect(await second.prompt()).toBe("foreign");
});

test("an editor in another language, behind idewire host, answers Codex CLI", async () => {
  const { env, hub } = openContext();
  const folder = temporary();
  writeFileSync(join(folder, "a.txt"), "one\ntwo\nthree\n");
  const host = fileURLToPath(new URL("../../examples/any-editor/host.py", import.meta.url));
  const editor = new LineProgram("python3", [host, folder, process.execPath, builtBin], {
    env,
    cwd: folder,
  });
  await editor.shows("agents can find ");
  editor.type("select a.txt 1 2");
  const agent = new CodexClient({ env, cwd: folder });
  const prompt = () => agent.prompt().catch((error: Error) => error.message);
  await expect.poll(prompt).toContain("Active selection of the file:\none\ntwo");
  editor.type("quit");
  expect(await editor.exited, editor.describe()).toBe(0);
  expect(existsSync(hub)).toBe(false);
});

/** A connection to the socket without any frames. */
async function openRaw(hub: string) {
  const socket = connect(hub);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  onTestFinished(() => void socket.destroy());
  return { socket, closed, received: socket.resume() };
}

test("hostile frames end their own connections, and others are answered", async () => {
  const { open, hub } = openContext();
  const { agent } = await open({ limits: { handshakeTimeoutMs: 1_000 } });
  const claims = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const garbage = Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.from("abc")]);
  const empty = Buffer.from([0, 0, 0, 0]);
  const nested = Buffer.from("[".repeat(1 << 20));
  const deep = Buffer.concat([Buffer.from([0, 0, 16, 0]), nested]);
  for (const bytes of [claims, garbage, empty, deep]) {
    const { socket, closed } = await openRaw(hub);
    socket.write(bytes);
    await closed;
    expect(await agent.context()).toEqual({ openTabs: [] });
  }
});

test("a frame that arrives byte by byte ends its own connection at the time-out, and no other", async () => {
  const { open, hub } = openContext();
  const { agent } = await open({ limits: { handshakeTimeoutMs: 1_000 } });
  const slow = await openRaw(hub);
  slow.socket.write(Buffer.from([0, 0, 0, 1]));
  const timer = setInterval(() => slow.socket.write(" "), 100);
  onTestFinished(() => clearInterval(timer));
  const silent = await openRaw(hub);
  expect(await agent.context()).toEqual({ openTabs: [] });
  await Promise.all([slow.closed, silent.closed]);
  expect(await agent.context()).toEqual({ openTabs: [] });
});

test("frames that fill the memory budget end their connections, and others are answered", async () => {
  const { open, hub } = openContext();
  const limits = { maxTotalBytes: 1 << 24, maxClientBytes: 1 << 23 };
  const { agent } = await open({ limits });
  const greedy = await openRaw(hub);
  const length = Buffer.alloc(4);
  length.writeUInt32LE((1 << 24) - 1);
  greedy.socket.write(length);
  greedy.socket.write(Buffer.alloc((1 << 24) - 2, 0x20));
  await greedy.closed;
  expect(await agent.context()).toEqual({ openTabs: [] });
});

test("a thousand silent connections do not keep Codex CLI out", async () => {
  const { open, hub } = openContext();
  const { agent } = await open();
  // As many as the system accepts at once.
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => openRaw(hub)));
    expect(await agent.context()).toEqual({ openTabs: [] });
  }
  expect(await agent.context()).toEqual({ openTabs: [] });
});
