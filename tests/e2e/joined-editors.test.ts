import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  type Workspace,
  write,
} from "../src/reference-clients/serve-context.ts";

// Several editors of one folder: each further one joins the first, and takes over when that has ended.

const WAIT = { timeout: 60_000 };
/** The limit for a takeover, without the reconnection of the agent. */
const TAKEOVER = { timeout: 5_000, interval: 20 };

/** An editor that uses `idewire host --stdio`. */
class Editor {
  readonly host: LineProgram;
  #id = 0;

  constructor(workspace: Workspace, flags: readonly string[] = [], hello: object = {}) {
    this.host = new LineProgram(process.execPath, [builtBin, "host", "--stdio", ...flags], {
      env: workspace.env,
      cwd: workspace.folder,
    });
    const state = { folders: [{ path: workspace.folder }] };
    const members = ["openDiff", "closeDiff", "reveal", "select"];
    const events = ["warning", "written"];
    this.request("host/hello", { protocol: 1, name: "t", members, events, state, ...hello });
  }

  static async open(...args: ConstructorParameters<typeof Editor>): Promise<Editor> {
    const editor = new Editor(...args);
    await editor.host.shows('"host/listening"');
    return editor;
  }

  request(method: string, params: object): void {
    this.#id += 1;
    this.host.type({ jsonrpc: "2.0", id: this.#id, method, params });
  }

  /** The person selects the first lines of a file. */
  select(path: string, count: number): void {
    const end = { line: count - 1, character: 3 };
    const ranges = [{ start: { line: 0, character: 0 }, end, text: "one" }];
    const params = { documents: [{ path, active: true }], selection: { path, ranges } };
    this.host.type({ jsonrpc: "2.0", method: "host/state", params });
  }

  /** The person types in a file while others are open. */
  change(path: string, others: readonly string[]): void {
    const start = { line: 0, character: 0 };
    const open = others.map((other) => ({ path: other }));
    const documents = [{ path, active: true, dirty: true }, ...open];
    const selection = { path, ranges: [{ start, end: start, text: "" }] };
    this.host.type({ jsonrpc: "2.0", method: "host/state", params: { documents, selection } });
  }

  get written(): readonly { readonly path: string }[] {
    const lines = this.#lines("host/written");
    return lines.map((line) => (JSON.parse(line) as { params: { path: string } }).params);
  }

  /** The last `host/listening`. */
  get listening(): { readonly joined?: boolean; readonly endpoints: readonly [{ port: number }] } {
    const last = this.#lines("host/listening").at(-1) ?? "{}";
    return (JSON.parse(last) as { params: Editor["listening"] }).params;
  }

  /** The ids of the requests of a method, oldest first. */
  requestIds(method: string): readonly number[] {
    return this.#lines(method).map((line) => (JSON.parse(line) as { id: number }).id);
  }

  answer(id: number | undefined, result: object): void {
    this.host.type({ jsonrpc: "2.0", id, result });
  }

  #lines(method: string): readonly string[] {
    const named = `"method":"${method}"`;
    return this.host.output
      .split("\n")
      .filter((line) => line.endsWith("}") && line.includes(named));
  }
}

/** Several editors of a folder, the first of which serves, and a connected client. */
async function openEditors(count: number, flags: readonly string[] = []) {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\none\none\none\n");
  const editors: Editor[] = [];
  for (let at = 0; at < count; at += 1) {
    editors.push(await Editor.open(workspace, at === 0 ? [] : flags));
  }
  const client = await startClient(workspace);
  await client.untilReady();
  const [first, second, third] = editors as [Editor, Editor, Editor];
  return { workspace, path, editors, first, second, third, client };
}

test("of two editors, the one that the person used last serves the agents", async () => {
  const { path, first, second, client } = await openEditors(2);
  expect([first.listening.joined, second.listening.joined]).toEqual([undefined, true]);
  expect(second.listening.endpoints).toEqual(first.listening.endpoints);
  await second.host.shows('"host/agents","params":{"agents":[{"session":"s1","name":"claude-code"');
  first.select(path, 1);
  await client.until("the first", () => client.badge === "⧉ 1 line selected");
  second.select(path, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  const edit = client.edit(path, "two\n");
  await second.host.shows('"host/openDiff"');
  first.select(path, 3);
  await client.until("the first again", () => client.badge === "⧉ 3 lines selected");
  // The diff stays in the second editor.
  expect(first.requestIds("host/openDiff")).toEqual([]);
  second.answer(second.requestIds("host/openDiff")[0], { kind: "accepted" });
  expect(await edit.result).toMatchObject({ by: "ide", written: "two\n" });
  await first.host.shows('"host/written"');
  await second.host.shows('"host/written"');
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a mention of an editor that has joined reaches the agents, and makes it the active one", async () => {
  const { path, first, second, client } = await openEditors(2);
  first.select(path, 1);
  await client.until("the first", () => client.badge === "⧉ 1 line selected");
  second.request("host/mention", { path });
  await second.host.shows('"result":{"sessions":["s1"]}');
  await client.until("the mention", () => client.promptInput.includes("@a.txt"));
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("content that the active editor does not share is not shared, whatever the others share", async () => {
  const flags = ["--share", "path", "--exclude", "secret*"];
  const { workspace, path, first, second, client } = await openEditors(2, flags);
  const secret = write(workspace, "secret.txt", "one\n");
  first.select(path, 1);
  await client.until("the first", () => client.badge === "⧉ 1 line selected");
  second.select(path, 2);
  await client.until("the path", () => client.badge === "⧉ In a.txt");
  second.select(secret, 1);
  await client.until("nothing", () => client.badge === undefined);
  second.request("host/share", { level: "selection" });
  second.select(path, 2);
  await client.until("the lines", () => client.badge === "⧉ 2 lines selected");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("after kill -9 of the serving process another takes over within 5 s, at its port", async () => {
  const { workspace, path, first, second, third, client } = await openEditors(3);
  const [{ port }] = first.listening.endpoints;
  third.select(path, 1);
  await client.until("the third", () => client.badge === "⧉ 1 line selected");
  client.edit(path, "two\n").result.catch(() => undefined);
  await third.host.shows('"host/openDiff"');
  first.host.kill("SIGKILL");
  const rest = [second, third];
  await expect
    .poll(() => rest.filter(({ listening }) => listening.joined !== true).length, TAKEOVER)
    .toBe(1);
  await expect
    .poll(() => rest.map((each) => each.listening.endpoints[0].port), TAKEOVER)
    .toEqual([port, port]);
  // The agent asks in its terminal, and the editor closes the diff.
  await third.host.shows('"host/closeDiff"');
  third.answer(third.requestIds("host/openDiff")[0], { kind: "cancelled" });
  third.answer(third.requestIds("host/closeDiff")[0], { alreadyClosed: false });
  await client.untilReady();
  second.select(path, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  third.select(path, 3);
  await client.until("the third", () => client.badge === "⧉ 3 lines selected");
  const locks = readdirSync(join(workspace.env.CLAUDE_CONFIG_DIR ?? "", "ide"));
  expect(locks).toEqual([`${port}.lock`]);
  await client.exit();
});

test("when the first editor closes the next takes over, until none is left", async () => {
  const { workspace, path, editors, client } = await openEditors(3);
  for (const [at, editor] of editors.slice(0, -1).entries()) {
    editor.host.endInput();
    expect(await editor.host.exited).toBe(0);
    const rest = editors.slice(at + 1);
    await expect
      .poll(() => rest.filter(({ listening }) => listening.joined !== true).length, TAKEOVER)
      .toBe(1);
  }
  const [last] = editors.slice(-1);
  last?.select(path, 2);
  await client.until("the last", () => client.badge === "⧉ 2 lines selected");
  await client.exit();
  last?.host.endInput();
  expect(await last?.host.exited).toBe(0);
  const state = join(workspace.env.HOME, ".local/state/idewire");
  expect(readdirSync(state).filter((name) => !name.endsWith(".json"))).toEqual([]);
});

test("a write to a file that only a joined editor has open reaches the editors, its own saves do not", async () => {
  const { workspace, path, first, second, client } = await openEditors(2);
  const below = write(workspace, "below/b.txt", "one\n");
  first.select(path, 1);
  await client.until("the first", () => client.badge === "⧉ 1 line selected");
  second.select(below, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  appendFileSync(below, "two\n");
  for (const editor of [first, second]) await editor.host.shows(/"host\/written".*below/);
  second.change(path, [below]);
  await expect.poll(() => client.inbox.context?.filePath).toBe(path);
  appendFileSync(path, "two\n");
  appendFileSync(below, "three\n");
  const written = () => first.written.map((each) => each.path);
  await expect.poll(written, WAIT).toEqual([below, below]);
});

test("a joined editor that is killed while it has a diff leaves the answer to the agent", async () => {
  const { path, first, second, client } = await openEditors(2);
  second.select(path, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  client.edit(path, "two\n").result.catch(() => undefined);
  await second.host.shows('"host/openDiff"');
  second.host.kill("SIGKILL");
  await first.host.shows("that was ended; answer it in the terminal of the agent");
  await client.until("no context of it", () => client.badge === undefined);
  first.select(path, 1);
  await client.until("the first", () => client.badge === "⧉ 1 line selected");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("an editor that is stopped does not block the others", async () => {
  const { path, first, second, third, client } = await openEditors(3);
  second.select(path, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  second.host.kill("SIGSTOP");
  try {
    third.select(path, 3);
    await client.until("the third", () => client.badge === "⧉ 3 lines selected");
    first.select(path, 1);
    await client.until("the first", () => client.badge === "⧉ 1 line selected");
    const edit = client.edit(path, "two\n");
    await first.host.shows('"host/openDiff"');
    first.answer(first.requestIds("host/openDiff")[0], { kind: "accepted" });
    expect(await edit.result).toMatchObject({ by: "ide", written: "two\n" });
  } finally {
    second.host.kill("SIGCONT");
  }
  second.select(path, 4);
  await client.until("the second again", () => client.badge === "⧉ 4 lines selected");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("while the serving process is stopped a further editor is refused, and it goes on afterwards", async () => {
  const { workspace, path, first, second, client } = await openEditors(2);
  first.host.kill("SIGSTOP");
  const late = new Editor(workspace);
  try {
    await late.host.shows('"code":"folder-in-use"');
    expect(await late.host.exited).toBe(1);
    expect(late.host.errors).toContain("it does not answer");
  } finally {
    first.host.kill("SIGCONT");
  }
  second.select(path, 2);
  await client.until("the second", () => client.badge === "⧉ 2 lines selected");
  await client.exit();
});

test("of editors that start at the same instant one serves, and the others join it", async () => {
  const workspace = openWorkspace();
  const editors = await Promise.all([1, 2, 3].map(() => Editor.open(workspace)));
  const joined = editors.map(({ listening }) => listening.joined === true);
  expect(joined.sort()).toEqual([false, true, true]);
  expect(new Set(editors.map(({ listening }) => listening.endpoints[0].port)).size).toBe(1);
});

test("an editor joins idewire serve, whose commands then reach it", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\ntwo\n");
  const serve = startServe(workspace);
  const { port } = await serve.event("listening");
  const editor = await Editor.open(workspace);
  expect(editor.listening).toMatchObject({ joined: true, endpoints: [{ port }] });
  const client = await startClient(workspace);
  await client.untilReady();
  editor.select(path, 2);
  await client.until("the editor", () => client.badge === "⧉ 2 lines selected");
  const select = new LineProgram(process.execPath, [builtBin, "select", "a.txt:2"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  await editor.host.shows('"host/select"');
  editor.answer(editor.requestIds("host/select")[0], {});
  expect(await select.exited).toBe(0);
  serve.kill("SIGKILL");
  await expect.poll(() => editor.listening.joined, TAKEOVER).toBe(undefined);
  expect(editor.listening.endpoints[0].port).toBe(port);
  await client.exit();
});

test("idewire serve joins an editor, and becomes the active one when it is used", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\ntwo\n");
  const editor = await Editor.open(workspace);
  const serve = startServe(workspace);
  const { port } = await serve.event("listening");
  expect(editor.listening.endpoints[0].port).toBe(port);
  const client = await startClient(workspace);
  await client.untilReady();
  await serve.event("initialized");
  editor.select(path, 2);
  await client.until("the editor", () => client.badge === "⧉ 2 lines selected");
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  await serve.do({ do: "select", path, range });
  await client.until("the folder", () => client.badge === "⧉ 1 line selected");
  editor.host.kill("SIGKILL");
  await client.untilReady();
  await client.exit();
});

test("the socket that editors join at is private to the user", async () => {
  const workspace = openWorkspace();
  await Editor.open(workspace);
  const state = join(workspace.env.HOME, ".local/state/idewire");
  const [socket = ""] = readdirSync(state).filter((name) => name.endsWith(".sock"));
  expect(statSync(join(state, socket)).mode & 0o777).toBe(0o600);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  await expect
    .poll(() => readdirSync(state).filter((name) => name.endsWith(".sock")), WAIT)
    .toHaveLength(1);
});
