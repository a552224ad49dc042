import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@idewire/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolderEndpoint, readFolderEndpoint } from "./folder-endpoint.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "idewire-tools-"));
});
afterEach(() => rm(home, { recursive: true }));

const server = new McpServer({ info: { name: "test", version: "1.0.0" } });
const open = () =>
  openFolderEndpoint({
    ...{ server, context: undefined, folder: "/vault" },
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
  });
const env = () => ({ HOME: home, XDG_STATE_HOME: join(home, "state") });

test("a folder's tools come back on the same port with the same token", async () => {
  const first = await open();
  await first.close();
  const left = await readFolderEndpoint("/vault", env());
  expect(left?.pid).toBeUndefined();
  const second = await open();
  expect(second.endpoint).toEqual(first.endpoint);
  expect(await readFolderEndpoint("/vault", env())).toEqual(second.endpoint);
  await second.close();
});

test("where they are is for the user alone to read", async () => {
  const { close } = await open();
  const directory = join(home, "state", "idewire", "tools");
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  const [file = ""] = await readdir(directory);
  expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  await close();
});

test("what another process offers is left to it, and taken over when that has ended", async () => {
  const first = await open();
  const asOther = (pid: number | undefined) => ({ ...first.endpoint, pid });
  const record = (value: object) => writeFile(recordFile, JSON.stringify(value));
  const [name = ""] = await readdir(join(home, "state", "idewire", "tools"));
  const recordFile = join(home, "state", "idewire", "tools", name);
  // Its port answers, and its process lives.
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

test("another folder knows nothing of them", async () => {
  const { close } = await open();
  expect(await readFolderEndpoint("/other", env())).toBeUndefined();
  await close();
});
