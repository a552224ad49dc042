import { readdir, rm, stat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createPathMap, type Mention } from "@idewire/core";
import { Method } from "@idewire/core/internal";
import { Peer } from "@idewire/core/rpc";
import { type FakeEditorHost, fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { useListeners } from "../../../../../tests/src/listening-fixture.ts";
import { connectIde } from "../../agent/connect.ts";
import { controlPath } from "../../files/folder-socket.ts";
import { createStdioTransport } from "../../stdio/stdio-transport.ts";
import type { IdeListener } from "../listen-options.ts";

// The processes of several editors on one folder, simulated in one process.

const at = useListeners();

function editor(...folders: readonly string[]): FakeEditorHost {
  const host = fakeEditorHost();
  const all = folders.length === 0 ? [at.folder] : folders;
  host.folders = all.map((path) => ({ path: posixPath(path), name: "work" }));
  return host;
}

async function openTwo(second: Parameters<typeof at.listen>[0] = {}) {
  const hosts = [editor(), editor()] as const;
  const first = await at.listen({ host: hosts[0] });
  const joined = await at.listen({ host: hosts[1], ...second });
  return { hosts, first, joined };
}

async function openAgent() {
  const env = { HOME: at.home };
  const agent = await connectIde({ name: "claude-code", version: "2.1.330", cwd: at.folder, env });
  onTestFinished(() => agent.close());
  return agent;
}

function select(host: FakeEditorHost, name: string): void {
  const start = { line: 0, character: 0 };
  const range = { start, end: { line: 0, character: 3 }, text: "one" };
  host.setSelection({ path: posixPath(join(at.folder, name)), ranges: [range], primary: 0 });
}

const portOf = ({ endpoints }: IdeListener) => endpoints[0]?.port;

test("a joined process has the endpoints and the agents of the serving process", async () => {
  const { first, joined } = await openTwo();
  expect([first.joined, joined.joined]).toEqual([false, true]);
  expect(joined.endpoints).toEqual(first.endpoints);
  const seen: string[] = [];
  joined.on("initialized", ({ agent }) => void seen.push(`came ${agent?.name}`));
  joined.on("disconnected", ({ agent }) => void seen.push(`left ${agent?.name}`));
  const agent = await openAgent();
  await expect
    .poll(() => [...joined.sessions].map((session) => session.agent?.name))
    .toEqual(["claude-code"]);
  await agent.close();
  await expect.poll(() => seen).toEqual(["came claude-code", "left claude-code"]);
});

test("an editor in which the person selects while it joins is active once it has joined", async () => {
  const first = editor();
  await at.listen({ host: first });
  const agent = await openAgent();
  // A join takes some milliseconds; these delays cover each of its stages.
  for (let waitMs = 0; waitMs < 20; waitMs += 1) {
    const second = editor();
    select(first, "first.txt");
    await expect.poll(() => agent.selection?.filePath).toContain("first.txt");
    const joining = at.listen({ host: second });
    await setTimeout(waitMs);
    select(second, `second ${waitMs}.txt`);
    const joined = await joining;
    await expect.poll(() => agent.selection?.filePath).toContain(`second ${waitMs}.txt`);
    await joined.close();
    first.setSelection(undefined);
  }
});

test("a diff goes to the active editor, with an id that is unique to that editor", async () => {
  const { hosts } = await openTwo();
  const agent = await openAgent();
  const propose = (name: string) =>
    agent.openDiff({ filePath: join(at.folder, name), newText: "new\n" });
  const first = propose("a.txt");
  await expect.poll(() => hosts[0].shownDiffs.length).toBe(1);
  select(hosts[1], "b.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(join(at.folder, "b.txt"));
  const second = propose("b.txt");
  await expect.poll(() => hosts[1].shownDiffs.length).toBe(1);
  expect(hosts[0].shownDiffs).toHaveLength(1);
  expect(hosts[1].shownDiffs[0]?.id).toMatch(/^j\d+\.d\d+$/);
  hosts[1].answerDiff(hosts[1].shownDiffs[0]?.id ?? "", { kind: "accepted", text: "mine\n" });
  hosts[0].answerDiff(hosts[0].shownDiffs[0]?.id ?? "", { kind: "rejected" });
  expect(await second).toMatchObject({ text: "mine\n" });
  expect(await first).not.toHaveProperty("text");
});

test("the share level and the patterns are those of the active editor, and change with it at once", async () => {
  const { hosts, joined } = await openTwo({ share: { level: "path" }, exclude: ["b.*"] });
  const agent = await openAgent();
  const received: unknown[] = [];
  agent.on("selection", (selection) => void received.push(selection));
  select(hosts[0], "b.txt");
  await expect.poll(() => agent.selection).toMatchObject({ text: "one" });
  received.splice(0);
  select(hosts[1], "b.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(undefined);
  select(hosts[1], "a.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(join(at.folder, "a.txt"));
  expect(JSON.stringify(received)).not.toContain("one");
  joined.share = { ...joined.share, level: "selection" };
  await expect.poll(() => agent.selection).toMatchObject({ text: "one" });
  joined.exclude = ["a.*"];
  await expect.poll(() => agent.selection?.filePath).toBe(undefined);
  select(hosts[0], "a.txt");
  await expect.poll(() => agent.selection).toMatchObject({ text: "one" });
});

test("selected text is truncated at the limit of the active editor, even after a change of it", async () => {
  const { hosts, joined } = await openTwo({ share: { maxTextLength: 2 } });
  const agent = await openAgent();
  select(hosts[1], "a.txt");
  await expect.poll(() => agent.selection?.text).toBe("on");
  joined.share = { ...joined.share, maxTextLength: 1 };
  await expect.poll(() => agent.selection?.text).toBe("o");
  select(hosts[0], "a.txt");
  await expect.poll(() => agent.selection?.text).toBe("one");
});

test("the tools are those of the active editor, and an agent is notified of a change", async () => {
  const hosts = [editor(), editor()] as const;
  Object.assign(hosts[1], { diagnostics: undefined, openDiff: undefined });
  await at.listen({ host: hosts[0] });
  await at.listen({ host: hosts[1] });
  const agent = await openAgent();
  const names = () => agent.editor?.tools.map(({ name }) => name);
  const received: string[] = [];
  agent.on("notification", (method) => void received.push(method));
  const changes = () => received.filter((method) => method === Method.ToolsListChanged).length;
  expect(names()).toEqual(expect.arrayContaining(["getDiagnostics", "openDiff"]));
  select(hosts[1], "a.txt");
  await expect.poll(names).not.toContain("getDiagnostics");
  expect(names()).not.toContain("openDiff");
  select(hosts[0], "a.txt");
  await expect.poll(names).toContain("openDiff");
  expect(changes()).toBe(2);
});

test("a process does not send another one the files that its own rules exclude", async () => {
  const isExcluded = (path: string) => path.endsWith("mine.txt");
  const { hosts, first } = await openTwo({ share: { isExcluded } });
  const mentioned: Mention[] = [];
  first.on("sent", (_, fact) => fact.kind === "mention" && mentioned.push(fact));
  const agent = await openAgent();
  select(hosts[1], "open.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(join(at.folder, "open.txt"));
  select(hosts[1], "mine.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(undefined);
  const path = posixPath(join(at.folder, "open.txt"));
  hosts[1].mention({ path: posixPath(join(at.folder, "mine.txt")) });
  hosts[1].mention({ path });
  await expect.poll(() => mentioned.map((mention) => mention.path)).toEqual([path]);
});

test("when the serving process ends, the other takes over with the same port and token", async () => {
  const { hosts, first, joined } = await openTwo();
  const port = portOf(first);
  const agent = await openAgent();
  select(hosts[1], "b.txt");
  await first.close();
  await expect
    .poll(() => [joined.joined, portOf(joined)], { timeout: 5_000 })
    .toEqual([false, port]);
  await expect.poll(() => agent.selection?.filePath).toBe(join(at.folder, "b.txt"));
});

test("text that an editor stops sharing while it takes over is not sent", async () => {
  // A take-over takes some milliseconds; these delays cover several of its stages.
  for (const waitMs of [0, 5, 20]) {
    const { hosts, first, joined } = await openTwo();
    const port = portOf(first);
    select(hosts[1], `${waitMs}.txt`);
    await first.close();
    await setTimeout(waitMs);
    joined.share = { ...joined.share, level: "path" };
    await expect
      .poll(() => [joined.joined, portOf(joined)], { timeout: 5_000 })
      .toEqual([false, port]);
    const agent = await openAgent();
    await expect.poll(() => agent.selection?.filePath).toContain(`${waitMs}.txt`);
    expect(agent.selection?.text).toBe("");
    await agent.close();
    await joined.close();
  }
});

test("one of several joined processes takes over, and the others join it", async () => {
  const all = await Promise.all([1, 2, 3, 4].map(() => at.listen({ host: editor() })));
  const rest = all.filter(({ joined }) => joined);
  const [serving] = all.filter(({ joined }) => !joined);
  await serving?.close();
  await expect
    .poll(() => rest.map(({ joined }) => joined).sort(), { timeout: 5_000 })
    .toEqual([false, true, true]);
  await expect.poll(() => new Set(rest.map(portOf)).size, { timeout: 5_000 }).toBe(1);
});

test("a joined process may leave, and its diff is cancelled with a warning", async () => {
  const { hosts, first, joined } = await openTwo();
  const warnings: string[] = [];
  first.on("warning", ({ message }) => void warnings.push(message));
  const agent = await openAgent();
  select(hosts[1], "b.txt");
  await expect.poll(() => agent.selection?.filePath).toBe(join(at.folder, "b.txt"));
  void agent.openDiff({ filePath: join(at.folder, "b.txt"), newText: "new\n" }).catch(() => {});
  await expect.poll(() => hosts[1].shownDiffs.length).toBe(1);
  await joined.close();
  await expect.poll(() => warnings).toEqual([expect.stringContaining("b.txt: the change")]);
  await expect.poll(() => hosts[1].shownDiffs.length).toBe(0);
  await expect.poll(() => agent.selection?.filePath).toBe(undefined);
});

test("the folders of all are published, except those that a third process serves", async () => {
  const [one, two] = [join(at.home, "one"), join(at.home, "two")];
  const third = await at.listen({ host: editor(two) });
  const first = await at.listen({ host: editor() });
  const warnings: string[] = [];
  first.on("warning", ({ message }) => void warnings.push(message));
  const joined = await at.listen({ host: editor(at.folder, one, two) });
  expect(joined.joined).toBe(true);
  await expect.poll(() => first.endpoints[0]?.folders).toEqual([at.folder, one]);
  await expect.poll(() => joined.endpoints).toEqual(first.endpoints);
  expect(warnings).toEqual([expect.stringContaining(`${two} is served already`)]);
  expect(third.endpoints[0]?.folders).toEqual([two]);
  await joined.close();
  await expect.poll(() => first.endpoints[0]?.folders).toEqual([at.folder]);
});

test("only the user has access to the socket", async () => {
  await at.listen();
  const path = controlPath({ HOME: at.home }, at.folder);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
});

test("a process that requires a port does not join one at another port", async () => {
  const first = await at.listen();
  const port = (portOf(first) ?? 0) + 1;
  await expect(at.listen({ port })).rejects.toMatchObject({ code: "folder-in-use" });
  expect((await at.listen({ port: portOf(first) ?? 0 })).joined).toBe(true);
});

/** A process that serves the folder, but answers at its socket as another program does. */
async function replaceSocket(answer: (line: { id: number }) => object | undefined): Promise<void> {
  await at.listen();
  const path = controlPath({ HOME: at.home }, at.folder);
  await rm(path);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const message = answer(JSON.parse(String(chunk)) as { id: number });
      if (message !== undefined) socket.write(`${JSON.stringify(message)}\n`);
    });
  }).listen(path);
  onTestFinished(() => void server.close());
}

test("a process of another version is not joined, and the reason is reported", async () => {
  const error = { code: 1, message: "they are of different versions of idewire" };
  await replaceSocket(({ id }) => ({ jsonrpc: "2.0", id, error }));
  await expect(at.listen()).rejects.toMatchObject({
    code: "folder-in-use",
    message: expect.stringMatching(/stop that one first.*different versions/s),
  });
});

test("an editor over the limit is refused with the reason, and commands are answered", async () => {
  await at.listen();
  const path = controlPath({ HOME: at.home }, at.folder);
  const open = async () => {
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    const peer = new Peer(createStdioTransport(socket, socket), {});
    const share = { level: "off", exclude: [], maxTextLength: 1 };
    const facts = { protocol: 1, focusedMs: 0, watchesFiles: false, share };
    return peer.request("editors/join", facts, { timeoutMs: 5_000 });
  };
  await Promise.all(Array.from({ length: 64 }, open));
  const late = await at.listen().catch((error: unknown) => error);
  expect(late).toMatchObject({
    code: "folder-in-use",
    message: expect.stringContaining("64 editors have joined it"),
  });
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const command = new Peer(createStdioTransport(socket, socket), {}).request("no/such", {});
  await expect(command).rejects.toMatchObject({ code: -32601 });
});

test("an older process, which lacks the method to join it, is not joined", async () => {
  const error = { code: -32601, message: "Method not found" };
  await replaceSocket(({ id }) => ({ jsonrpc: "2.0", id, error }));
  await expect(at.listen()).rejects.toMatchObject({ code: "folder-in-use" });
});

test("a process that does not answer is not joined", async () => {
  await replaceSocket(() => undefined);
  await expect(at.listen()).rejects.toMatchObject({
    code: "folder-in-use",
    message: expect.stringContaining("it does not answer"),
  });
});

test("a process for agents of another machine is not joined", async () => {
  const pathMap = createPathMap([{ host: at.folder, agent: "/far" }]);
  await at.listen({ pathMap });
  await expect(at.listen({ pathMap })).rejects.toMatchObject({ code: "folder-in-use" });
  const local = await at.listen();
  expect(local.joined).toBe(false);
});

test("nothing remains of editors that have left", async () => {
  const { first, joined } = await openTwo();
  await first.close();
  await joined.close();
  const names = await readdir(join(at.home, ".local/state/idewire"));
  expect(names.filter((name) => !name.endsWith(".json"))).toEqual([]);
});
