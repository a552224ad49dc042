import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { claudeCode, copilot, createPathMap, gemini } from "@idewire/core";
import { expect, onTestFinished, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";

const at = useListeners();

async function open() {
  const env = { HOME: at.home, TMPDIR: temporaryFolder("idewire-tmp-") };
  const listener = await at.listen({ dialects: [claudeCode, gemini, copilot], env });
  const { lockFile = "" } = listener.endpoints.find(({ dialect }) => dialect === "copilot") ?? {};
  const { socketPath, headers } = JSON.parse(readFileSync(lockFile, "utf8")) as {
    readonly socketPath: string;
    readonly headers: { readonly Authorization: string };
  };
  return { listener, env, lockFile, socketPath, authorization: headers.Authorization };
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
  const outgoing = request({ socketPath, path: "/mcp", method: "POST", headers: all });
  outgoing.on("error", () => {});
  outgoing.end(JSON.stringify(initialize));
  const [response] = await once(outgoing, "response");
  response.resume();
  return response.statusCode as number;
}

test("a session belongs to its principal only", async () => {
  const { listener, socketPath, authorization } = await open();
  expect(await post(socketPath, { authorization, "x-copilot-session-id": "a" })).toBe(200);
  expect(await post(socketPath, { authorization, "x-copilot-session-id": "b" })).toBe(200);
  expect(listener.sessions.size).toBe(2);
});

test("a path that is too long for a socket is refused with the remedy", async () => {
  const TMPDIR = join(temporaryFolder("idewire-tmp-"), "x".repeat(90));
  mkdirSync(TMPDIR);
  const listener = await at.listen({
    dialects: [claudeCode, copilot],
    env: { HOME: at.home, TMPDIR },
  });
  expect(listener.endpoints).toHaveLength(1);
  const fault = "more than the 103 of a socket's path: choose a shorter TMPDIR";
  expect(listener.warnings.join()).toContain(fault);
});

/** A socket whose process was killed. */
async function deadSocket(path: string): Promise<void> {
  const script = "require('net').createServer().listen(process.argv[1], () => console.log('up'))";
  const child = spawn(process.execPath, ["-e", script, path]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("files of a killed run are removed, and none of a running process", async () => {
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

test("a file of ours that names another file as its socket does not affect that file", async () => {
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

test("agents on another machine have no socket", async () => {
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

test("a second run on a folder joins the first while that answers at its socket", async () => {
  const { env, listener } = await open();
  await listener.close();
  const first = await at.listen({ dialects: [copilot], env });
  const [{ socketPath = "" } = {}] = first.endpoints;
  const second = await at.listen({ dialects: [copilot], env });
  expect(second.joined).toBe(true);
  expect(second.endpoints).toMatchObject([{ dialect: "copilot", socketPath }]);
});
