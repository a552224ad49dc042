import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { claudeCode, copilot, createPathMap, gemini } from "@idewire/core";
import { expect, onTestFinished, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();

async function open() {
  const env = { HOME: at.home, TMPDIR: temporaryFolder("idewire-tmp-") };
  const listener = await at.listen({ dialects: [claudeCode, gemini, copilot], env });
  return { listener, env, ...facts(listener) };
}

function facts({ endpoints }: IdeListener) {
  const read = <T>(dialect: string) => {
    const { lockFile = "" } = endpoints.find((one) => one.dialect === dialect) ?? {};
    return { lockFile, file: JSON.parse(readFileSync(lockFile, "utf8")) as T };
  };
  const { lockFile, file } = read<{
    readonly socketPath: string;
    readonly headers: { readonly Authorization: string };
  }>("copilot");
  const { Authorization: authorization } = file.headers;
  const others = ["gemini", "claude-code"].map(
    (dialect) => read<{ readonly authToken: string }>(dialect).file.authToken,
  );
  const token = authorization.slice("Nonce ".length);
  return { lockFile, socketPath: file.socketPath, authorization, token, others };
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} },
};

/** The status of a POST. */
async function post(socketPath: string, headers: object): Promise<number> {
  const all = {
    ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
    ...{ host: "localhost", ...headers },
  };
  const asked = request({ socketPath, path: "/mcp", method: "POST", headers: all });
  asked.on("error", () => {});
  asked.end(JSON.stringify(initialize));
  const [response] = await once(asked, "response");
  response.resume();
  return response.statusCode as number;
}

test("the token has 64 bytes, and is the only one that opens the socket, by its own scheme", async () => {
  const { listener, socketPath, authorization, token, others } = await open();
  expect(Buffer.from(token, "base64url")).toHaveLength(64);
  let refused = 0;
  listener.on("refused", () => {
    refused += 1;
  });
  const wrong = [...others, "", token.slice(1), `${token}x`].map((one) => `Nonce ${one}`);
  for (const given of [...wrong, token, `Bearer ${token}`]) {
    expect(await post(socketPath, { authorization: given })).toBe(401);
  }
  expect(await post(socketPath, {})).toBe(401);
  expect(refused).toBe(8);
  expect(await post(socketPath, { authorization })).toBe(200);
});

test("its token opens no port of another family", async () => {
  const { listener, token } = await open();
  const { port = 0 } = listener.endpoints.find(({ dialect }) => dialect === "gemini") ?? {};
  for (const authorization of [`Bearer ${token}`, `Nonce ${token}`]) {
    const url = `http://127.0.0.1:${port}/mcp`;
    const { status } = await fetch(url, { method: "POST", headers: { authorization }, body: "{}" });
    expect(status).toBe(401);
  }
});

test("a session is its principal's alone", async () => {
  const { listener, socketPath, authorization } = await open();
  expect(await post(socketPath, { authorization, "x-copilot-session-id": "a" })).toBe(200);
  expect(await post(socketPath, { authorization, "x-copilot-session-id": "b" })).toBe(200);
  expect(listener.sessions.size).toBe(2);
});

test("every Origin is refused, other hosts too; Sec-Fetch-* is not", async () => {
  const { socketPath, authorization } = await open();
  for (const origin of ["http://localhost", "null", "https://example.com"]) {
    expect(await post(socketPath, { authorization, origin })).toBe(403);
  }
  expect(await post(socketPath, { authorization, host: "example.com" })).toBe(403);
  expect(await post(socketPath, { authorization, "sec-fetch-mode": "cors" })).toBe(200);
});

test("no body is read of a client without the token", async () => {
  const { socketPath } = await open();
  const headers = { host: "localhost", "content-length": 1e9, "content-type": "application/json" };
  const asked = request({ socketPath, path: "/mcp", method: "POST", headers });
  asked.on("error", () => {});
  asked.write("{");
  const [response] = await once(asked, "response");
  expect(response.statusCode).toBe(401);
  asked.destroy();
});

const ownFolder = `idewire-${process.getuid?.() ?? 0}`;

test.each([
  ["is a link", (folder: string) => symlinkSync("/nowhere", folder)],
  ["may be written by others", (folder: string) => chmodSync(made(folder), 0o777)],
  ["is no folder", (folder: string) => writeFileSync(folder, "")],
])("there is no socket where its folder %s, and the others are served", async (why, prepare) => {
  const TMPDIR = temporaryFolder("idewire-tmp-");
  prepare(join(TMPDIR, ownFolder));
  const env = { HOME: at.home, TMPDIR };
  const listener = await at.listen({ dialects: [claudeCode, copilot], env });
  expect(listener.endpoints.map(({ dialect }) => dialect)).toEqual(["claude-code"]);
  expect(listener.warnings.map(({ message }) => message)).toEqual([
    `Copilot CLI cannot connect: ${join(TMPDIR, ownFolder)} ${why}: nothing is published there; remove it`,
  ]);
  expect(existsSync(join(at.home, ".copilot", "ide"))).toBe(false);
});

function made(folder: string): string {
  mkdirSync(folder);
  return folder;
}

test("a path that is too long for a socket is refused, with what to do", async () => {
  const TMPDIR = join(temporaryFolder("idewire-tmp-"), "x".repeat(90));
  mkdirSync(TMPDIR);
  const listener = await at.listen({
    dialects: [claudeCode, copilot],
    env: { HOME: at.home, TMPDIR },
  });
  expect(listener.endpoints).toHaveLength(1);
  expect(listener.warnings.join()).toMatch(/a socket at most 103: choose a shorter TMPDIR/);
});

/** A socket whose process was killed. */
async function deadSocket(path: string): Promise<void> {
  const script = "require('net').createServer().listen(process.argv[1], () => console.log('up'))";
  const child = spawn(process.execPath, ["-e", script, path]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("what a killed run has left is removed, and nothing of a process that lives", async () => {
  const { socketPath, lockFile, listener, env } = await open();
  const text = readFileSync(lockFile, "utf8");
  await listener.close();
  const [folder, sockets] = [dirname(lockFile), dirname(socketPath)];
  const dead = join(sockets, "dead.sock");
  const unnamed = join(sockets, "unnamed.sock");
  await Promise.all([deadSocket(dead), deadSocket(unnamed)]);
  const alive = createServer().listen(join(sockets, "alive.sock"));
  onTestFinished(() => void alive.close());
  await once(alive, "listening");
  const file = { ...JSON.parse(text), pid: 2 ** 22 - 1, started: "then", socketPath: dead };
  writeFileSync(join(folder, "ours.lock"), JSON.stringify(file));
  const { generator: _, ...others } = file;
  writeFileSync(join(folder, "others.lock"), JSON.stringify(others));
  const again = await at.listen({ host: hostOf(at.folder), dialects: [copilot], env });
  const [{ socketPath: own = "", lockFile: published = "" } = {}] = again.endpoints;
  expect(readdirSync(folder).sort()).toEqual(
    ["others.lock", published.slice(folder.length + 1)].sort(),
  );
  expect(readdirSync(sockets).sort()).toEqual(["alive.sock", own.slice(sockets.length + 1)].sort());
});

test("a file of ours that names something else as its socket costs that nothing", async () => {
  const { lockFile, listener, env } = await open();
  const text = readFileSync(lockFile, "utf8");
  await listener.close();
  const victim = join(at.home, "notes.md");
  writeFileSync(victim, "notes");
  const file = { ...JSON.parse(text), pid: 2 ** 22 - 1, started: "then", socketPath: victim };
  writeFileSync(join(dirname(lockFile), "ours.lock"), JSON.stringify(file));
  await at.listen({ host: hostOf(at.folder), dialects: [copilot], env });
  expect(readFileSync(victim, "utf8")).toBe("notes");
});

test("there is no socket for agents elsewhere", async () => {
  const pathMap = createPathMap([{ host: at.folder, agent: "/far" }]);
  const env = { HOME: at.home, TMPDIR: temporaryFolder("idewire-tmp-") };
  const listener = await at.listen({ dialects: [claudeCode, copilot], env, pathMap });
  expect(listener.endpoints.map(({ dialect }) => dialect)).toEqual(["claude-code"]);
  expect(listener.warnings).toEqual([]);
  await listener.close();
  await expect(at.listen({ dialects: [copilot], env, pathMap })).rejects.toMatchObject({
    code: "invalid-argument",
  });
});

test("a second run on a folder is refused while the first answers at its socket", async () => {
  const { env, listener } = await open();
  await listener.close();
  const first = await at.listen({ dialects: [copilot], env });
  const [{ socketPath = "" } = {}] = first.endpoints;
  await expect(at.listen({ dialects: [copilot], env })).rejects.toMatchObject({
    code: "folder-in-use",
    message: expect.stringContaining(`at ${socketPath}`) as string,
  });
});
