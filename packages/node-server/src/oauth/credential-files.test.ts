import { chmod, chown, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createCredentialFiles } from "./credential-files.ts";

const server = "https://mcp.example.com/mcp";
const credentials = {
  issuer: "https://as.example.com",
  tokens: { accessToken: "a", refreshToken: "b", clientId: "c" },
};

async function setUp() {
  const directory = temporaryFolder("idewire-credentials-");
  const store = createCredentialFiles({ directory });
  const file = async () => join(directory, (await readdir(directory))[0] ?? "");
  return { directory, store, file };
}

test("credentials are stored per server, in a file that only its user may read", async () => {
  const { store, file } = await setUp();
  expect(await store.read(server)).toBe(undefined);
  await store.write(server, credentials);
  expect(await store.read(server)).toEqual(credentials);
  expect(await store.read(`${server}/`)).toBe(undefined);
  if (process.platform !== "win32") expect((await stat(await file())).mode & 0o777).toBe(0o600);
  await store.write(server, undefined);
  expect(await store.read(server)).toBe(undefined);
});

test("the logins of several accounts at one server are separate", async () => {
  const { directory, store } = await setUp();
  const work = createCredentialFiles({ directory, profile: "work" });
  await work.write(server, credentials);
  expect(await store.read(server)).toBe(undefined);
  await store.write(server, { issuer: "https://other.example.com" });
  expect(await work.read(server)).toEqual(credentials);
  await store.write(server, undefined);
  expect(await work.read(server)).toEqual(credentials);
  expect(await createCredentialFiles({ directory, profile: "Work" }).read(server)).toBe(undefined);
});

const tokens = { accessToken: "a", clientId: "b", key: "no key" };
const twoLines = { accessToken: "a\nb", clientId: "b" };
const withTwoLines = JSON.stringify({ server, credentials: { issuer: "c", tokens: twoLines } });
const withoutKey = JSON.stringify({ server, credentials: { issuer: "c", tokens } });

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"server":"other"}',
  '{"credentials":{}}',
  withoutKey,
  withTwoLines,
])("a file that contains %j is named, and left alone", async (text) => {
  const { store, file } = await setUp();
  await store.write(server, credentials);
  const path = await file();
  await writeFile(path, text, { mode: 0o600 });
  await expect(store.read(server)).rejects.toMatchObject({
    code: "file-system",
    message: `${path} is damaged: remove it, and log in again`,
  });
  expect(await readFile(path, "utf8")).toBe(text);
});

/** Gives a file to another user; without root, replaces it with a link to one of root's. */
async function giveAway(path: string): Promise<void> {
  if (process.getuid?.() === 0) return chown(path, 1234, 1234);
  await rm(path);
  await symlink("/etc/passwd", path);
}

test.runIf(process.platform !== "win32").each([
  ["others may read", (path: string) => chmod(path, 0o644), "its mode is 644, not 600"],
  ["another user owns", giveAway, /user (?:1234|0) owns it/],
])("a file that %s is named, and left alone", async (_, spoil, why) => {
  const { store, file } = await setUp();
  await store.write(server, credentials);
  const path = await file();
  await spoil(path);
  const text = await readFile(path, "utf8");
  const error = await store.read(server).catch((reason) => reason);
  expect(error).toMatchObject({ code: "file-system" });
  expect(error.message).toMatch(why);
  expect(error.message).toContain(`Cannot trust ${path}: `);
  expect(error.message).toContain(": remove it, and log in again");
  expect(await readFile(path, "utf8")).toBe(text);
  await rm(path);
  expect(await store.read(server)).toBe(undefined);
});

test("one caller at a time holds the lock of a server, whatever becomes of it", async () => {
  const { directory, store } = await setUp();
  let running = 0;
  const run = async (fails: boolean) => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (fails) throw new Error("failed");
  };
  const turns = Array.from({ length: 8 }, (_, turn) =>
    store.exclusively(server, () => run(turn % 2 === 0)),
  );
  const outcomes = await Promise.allSettled(turns);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(4);
  expect(await readdir(directory)).toEqual([]);
});

test("the lock of a crashed process is taken over, once", async () => {
  const { directory, store } = await setUp();
  const { createHash } = await import("node:crypto");
  const name = createHash("sha256").update(server).digest("hex").slice(0, 32);
  // No process has this number.
  await writeFile(join(directory, `${name}.json.lock`), JSON.stringify({ pid: 2 ** 31 - 2 }));
  let running = 0;
  let most = 0;
  const turns = Array.from({ length: 8 }, () =>
    store.exclusively(server, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    }),
  );
  await Promise.all(turns);
  expect(most).toBe(1);
  expect(await readdir(directory)).toEqual([]);
});
