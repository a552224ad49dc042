import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { spawnZombie } from "../../../../tests/src/spawn-zombie.ts";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import type { Environment } from "../files/directories.ts";
import { identify } from "../process/liveness.ts";
import { findEditors } from "./find-editors.ts";

/** A temporary home with a working folder in it. */
function openHome() {
  const root = temporaryFolder("idewire-");
  const work = join(root, "Übung");
  mkdirSync(work);
  const env = { HOME: root };
  return {
    root,
    work,
    env,
    find: (cwd = work, more: Environment = {}) => findEditors({ cwd, env: { ...env, ...more } }),
    /** Writes a lock file of a live editor; `ageSeconds` makes it older. */
    lock(name: string | number, members: object | string = {}, ageSeconds = 0, folder = ".claude") {
      const directory = join(root, folder, "ide");
      mkdirSync(directory, { recursive: true });
      const path = join(directory, `${name}.lock`);
      const whole = { workspaceFolders: [work], pid: process.pid, transport: "ws", authToken: "t" };
      const text = typeof members === "string" ? members : JSON.stringify({ ...whole, ...members });
      writeFileSync(path, text);
      const seconds = Date.now() / 1000 - ageSeconds;
      utimesSync(path, seconds, seconds);
      return path;
    },
  };
}

const DEAD_PID = 2 ** 30;

test("the newest editor for the folder comes first, and the longest folder before that", async () => {
  const { lock, find, root, work } = openHome();
  lock(1001, {}, 30);
  lock(1002, {}, 10);
  lock(1003, { workspaceFolders: [root] }, 0);
  expect((await find()).editors.map(({ port }) => port)).toEqual([1002, 1001, 1003]);
  mkdirSync(join(work, "deep"));
  lock(1004, { workspaceFolders: ["/elsewhere", join(work, "deep")] }, 60);
  const deep = await find(join(work, "deep"));
  expect(deep.editors.map(({ port }) => port)).toEqual([1004, 1002, 1001, 1003]);
});

test("each skipped lock file has a reason", async () => {
  const { lock, find, root, work } = openHome();
  lock("abc");
  lock(1001, "{");
  lock(1002, { workspaceFolders: "no list" });
  lock(1003, { pid: DEAD_PID });
  lock(1004, { transport: "sse" });
  lock(1005, { pid: undefined });
  lock(1006, { workspaceFolders: [join(root, "other")] });
  lock(1007, { workspaceFolders: [] });
  symlinkSync(work, join(root, "link"));
  lock(1008, { workspaceFolders: [join(root, "link")] });
  lock(1009, { workspaceFolders: [`${work.slice(0, -1)}`] });
  const { files, editors } = await find();
  expect(editors).toEqual([]);
  const reasons = files.map(({ path, stale, elsewhere }) => [
    path.replace(/^.*\/|\.lock$/g, ""),
    stale?.code ?? elsewhere?.code,
    (stale ?? elsewhere)?.why.replaceAll(root, ""),
  ]);
  expect(reasons.sort()).toEqual([
    ["1001", "invalid", "the file is not JSON"],
    ["1002", "invalid", 'workspaceFolders: expected a list of paths, got "no list"'],
    ["1003", "dead-process", `process ${DEAD_PID} is no longer running`],
    ["1004", "transport", 'its transport is "sse", and only "ws" is spoken'],
    ["1005", "silent-port", "it names no process, and nothing answers on port 1005"],
    ["1006", "other-folder", "it is for /other"],
    ["1007", "other-folder", "it is for no folder"],
    ["1008", "linked-folder", "/link is a link to /Übung, and agents compare real paths"],
    ["1009", "other-folder", "it is for /Übun"],
    ["abc", "bad-name", "its name is not a port from 1 to 65535"],
  ]);
});

test("a lock file without a process counts while its port answers", async () => {
  const { lock, find } = openHome();
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { readonly port: number };
  lock(port, { pid: undefined });
  expect((await find()).editors).toMatchObject([{ port, pid: undefined, token: "t" }]);
});

test("composed and decomposed names are the same, and links to the folder are followed", async () => {
  const { lock, find, root, work } = openHome();
  lock(1001, { workspaceFolders: [`${work.normalize("NFD")}/./`] });
  expect((await find()).editors).toHaveLength(1);
  symlinkSync(work, join(root, "link"));
  const { cwd, editors } = await find(join(root, "link"));
  expect([cwd, editors.length]).toEqual([work, 1]);
});

test("CLAUDE_CONFIG_DIR is searched in addition to the home", async () => {
  const { lock, find, root } = openHome();
  lock(1001, {}, 10);
  lock(1002, {}, 0, "config");
  const { directories, editors } = await find(undefined, {
    CLAUDE_CONFIG_DIR: join(root, "config"),
  });
  expect(editors.map(({ port }) => port)).toEqual([1002, 1001]);
  expect(directories).toEqual([
    { path: join(root, "config", "ide") },
    { path: join(root, ".claude", "ide") },
  ]);
  const nowhere = await find(undefined, { HOME: join(root, "nobody") });
  const path = join(root, "nobody", ".claude", "ide");
  expect(nowhere.directories).toEqual([{ path, error: "ENOENT" }]);
});

test("the terminal of an editor names its port, which counts whatever its folders are", async () => {
  const { lock, find } = openHome();
  lock(1001);
  lock(1002, { workspaceFolders: ["/elsewhere"] }, 10);
  lock(1003, { workspaceFolders: ["/elsewhere"] });
  const ports = async (env: Environment) =>
    (await find(undefined, env)).editors.map(({ port }) => port);
  expect(await ports({ CLAUDE_CODE_SSE_PORT: "1002" })).toEqual([1002, 1001]);
  expect(await ports({ CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true" })).toEqual([1001, 1003, 1002]);
});

test("an editor on Windows is found from WSL, where its process is not seen", async () => {
  const { lock, find } = openHome();
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { readonly port: number };
  lock(port, { pid: DEAD_PID, runningInWindows: true, workspaceFolders: ["C:\\Users\\Jo"] });
  const found = await find("/mnt/c/Users/Jo", { WSL_DISTRO_NAME: "Ubuntu" });
  expect(found.editors.map((editor) => editor.port)).toEqual([port]);
  expect((await find("/mnt/c/Users/Jo")).editors).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "an editor that has ended, and that the system still lists, is found as agents find it",
  async () => {
    const { lock, find } = openHome();
    const pid = await spawnZombie();
    lock(1001, { pid });
    const { started = "" } = identify(pid);
    lock(1002, { pid, started, generator: "idewire" });
    await expect.poll(async () => (await find()).editors.map(({ port }) => port)).toEqual([1001]);
  },
);
