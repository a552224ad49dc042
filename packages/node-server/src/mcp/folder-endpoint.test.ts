import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@idewire/core/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { openFolderEndpoint, readFolderEndpoint } from "./folder-endpoint.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "idewire-tools-"));
});
afterEach(() => removeFolder(home));

const server = new McpServer({ name: "test", version: "1.0.0" });
const open = (now: () => number = Date.now) =>
  openFolderEndpoint({
    now,
    ...{ server, context: undefined, folder: "/vault" },
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
  });
const env = () => ({ HOME: home, XDG_STATE_HOME: join(home, "state") });

test("a folder's tools have the same port and token after a restart", async () => {
  const first = await open();
  await first.close();
  const left = await readFolderEndpoint("/vault", env());
  expect(left?.pid).toBeUndefined();
  const second = await open();
  expect(second.endpoint).toEqual(first.endpoint);
  expect(await readFolderEndpoint("/vault", env())).toEqual(second.endpoint);
  await second.close();
});

test.each([
  ["25 hours", 25],
  ["a week", 168],
  ["a clock that was set back 25 hours", -25],
])("after %s the token is new, on the same port", async (_, hours) => {
  const first = await open();
  await first.close();
  const second = await open(() => Date.now() + hours * 3_600_000);
  expect(second.moved).toBe(false);
  expect(second.endpoint.url).toBe(first.endpoint.url);
  expect(second.endpoint.token).toMatch(/^[\w-]{86}$/);
  expect(second.endpoint.token).not.toBe(first.endpoint.token);
  const { url, token } = first.endpoint;
  const refused = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(refused.status).toBe(401);
  await second.close();
});

test("after 23 hours the token is the same", async () => {
  const first = await open();
  await first.close();
  const second = await open(() => Date.now() + 23 * 3_600_000);
  expect(second.endpoint).toEqual(first.endpoint);
  await second.close();
});

test("their address is readable by the user only", async () => {
  const { close } = await open();
  const directory = join(home, "state", "idewire", "tools");
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  const [file = ""] = await readdir(directory);
  expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  await close();
});

test("another process's tools are left to it, and taken over once it has ended", async () => {
  const first = await open();
  const { started: _, ...left } = first.endpoint;
  const asOther = (pid: number | undefined) => ({ ...left, pid });
  const record = (value: object) => writeFile(recordFile, JSON.stringify(value));
  const [name = ""] = await readdir(join(home, "state", "idewire", "tools"));
  const recordFile = join(home, "state", "idewire", "tools", name);
  // Its port answers, and its process is running.
  await record(asOther(process.ppid));
  await expect(open()).rejects.toMatchObject({
    code: "folder-in-use",
    message: expect.stringContaining(`process ${process.ppid}`),
  });
  expect(await readFolderEndpoint("/vault", env())).toEqual(asOther(process.ppid));
  await first.close();
  expect(await readFolderEndpoint("/vault", env())).toEqual(asOther(process.ppid));
  const second = await open();
  expect(second.endpoint).toEqual(first.endpoint);
  await second.close();
});

test("another folder is unaffected", async () => {
  const { close } = await open();
  expect(await readFolderEndpoint("/other", env())).toBeUndefined();
  await close();
});

/** The file in which an endpoint is recorded. */
async function recordFile(): Promise<string> {
  const directory = join(home, "state", "idewire", "tools");
  const [name = ""] = await readdir(directory);
  return join(directory, name);
}

test("if the old port is taken, the token is new as well", async () => {
  const first = await open();
  await first.close();
  const { url, token } = first.endpoint;
  const other = createServer().listen(Number(new URL(url).port), "127.0.0.1");
  await once(other, "listening");
  const second = await open();
  expect(second.moved).toBe(true);
  expect(second.endpoint.url).not.toBe(url);
  expect(second.endpoint.token).not.toBe(token);
  await second.close();
  other.close();
  const third = await open();
  expect(third.moved).toBe(false);
  expect(third.endpoint.token).toBe(second.endpoint.token);
  await third.close();
});

test.each([
  ["an empty token", { token: "" }],
  ["a short token", { token: "a".repeat(42) }],
  ["a token that is not a string", { token: 5 }],
  ["a foreign address", { url: "http://192.0.2.1:80/mcp" }],
])("a record with %s is void", async (_, members) => {
  const first = await open();
  await first.close();
  const file = await recordFile();
  const record = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...record, ...members }));
  expect(await readFolderEndpoint("/vault", env())).toBeUndefined();
  const second = await open();
  expect(second.endpoint.token).toMatch(/^[\w-]{86}$/);
  expect(second.endpoint.token).not.toBe(first.endpoint.token);
  await second.close();
});

test.runIf(process.getuid !== undefined)(
  "a record that others may read or write is void",
  async () => {
    const first = await open();
    await first.close();
    await chmod(await recordFile(), 0o640);
    expect(await readFolderEndpoint("/vault", env())).toBeUndefined();
  },
);
