import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { claudeCode, gemini, qwen } from "@idewire/core";
import { expect, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();

async function open() {
  const env = { HOME: at.home, TMPDIR: temporaryFolder("idewire-tmp-") };
  const listener = await at.listen({ dialects: [claudeCode, gemini, qwen], env });
  return { listener, env, ...facts(listener, "gemini") };
}

function facts({ endpoints }: IdeListener, dialect: string) {
  const { port = 0, lockFile = "" } = endpoints.find((one) => one.dialect === dialect) ?? {};
  const { authToken = "" } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken?: string };
  return { port, lockFile, token: authToken };
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} },
};

/** The status of a POST, whatever its headers; a client of the fetch standard chooses some of them itself. */
async function post(port: number, headers: object, body: string = JSON.stringify(initialize)) {
  const all = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...headers,
  };
  const asked = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: all });
  asked.on("error", () => {});
  asked.end(body);
  const [response] = await once(asked, "response");
  response.resume();
  return response.statusCode as number;
}

test("the token has 64 bytes, and is the only one that opens the endpoint", async () => {
  const { listener, port, token } = await open();
  expect(Buffer.from(token, "base64url")).toHaveLength(64);
  let refused = 0;
  listener.on("refused", () => {
    refused += 1;
  });
  const others = [facts(listener, "qwen").token, facts(listener, "claude-code").token];
  const wrong = [...others, "", token.slice(1), `${token}x`].map((one) => `Bearer ${one}`);
  for (const authorization of [...wrong, token, `Nonce ${token}`]) {
    expect(await post(port, { authorization })).toBe(401);
  }
  expect(await post(port, {})).toBe(401);
  expect(refused).toBe(8);
  expect(await post(port, { authorization: `Bearer ${token}` })).toBe(200);
  expect(listener.sessions.size).toBe(1);
});

test("a session goes on by its id with the token alone", async () => {
  const { port, listener } = await open();
  const session = { "mcp-session-id": "any", authorization: "Bearer wrong" };
  expect(await post(port, session)).toBe(401);
  expect(listener.sessions.size).toBe(0);
});

test("every Origin is refused, other hosts too; Sec-Fetch-* is not", async () => {
  const { port, token } = await open();
  const authorization = `Bearer ${token}`;
  for (const origin of [`http://127.0.0.1:${port}`, "null", "https://example.com"]) {
    expect(await post(port, { authorization, origin })).toBe(403);
  }
  expect(await post(port, { authorization, host: "example.com" })).toBe(403);
  for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
    expect(await post(port, { authorization, host, "sec-fetch-mode": "cors" })).toBe(200);
  }
});

test("no body is read of a client without the token", async () => {
  const { port } = await open();
  const asked = request({
    ...{ host: "127.0.0.1", port, path: "/mcp", method: "POST" },
    headers: { "content-length": 1e9, "content-type": "application/json" },
  });
  asked.on("error", () => {});
  asked.write("{");
  const [response] = await once(asked, "response");
  expect(response.statusCode).toBe(401);
  asked.destroy();
});

test("a body that is too large, cut or no JSON is refused, and others are served", async () => {
  const { port, token } = await open();
  const authorization = `Bearer ${token}`;
  expect(await post(port, { authorization, "content-length": 1 << 25 }, "{")).toBe(413);
  expect(await post(port, { authorization }, "{")).toBe(400);
  expect(await post(port, { authorization })).toBe(200);
});

test.each([
  ["is a link", (folder: string) => symlinkSync("/nowhere", folder)],
  ["may be written by others", (folder: string) => chmodSync(mkdir(folder), 0o777)],
  ["is no folder", (folder: string) => writeFileSync(folder, "")],
])("nothing is published where a folder of the temporary folder %s", async (why, prepare) => {
  const TMPDIR = temporaryFolder("idewire-tmp-");
  prepare(join(TMPDIR, "gemini"));
  const env = { HOME: at.home, TMPDIR };
  const listener = await at.listen({ dialects: [claudeCode, gemini, qwen], env });
  // The others are served.
  expect(listener.endpoints.map(({ dialect }) => dialect)).toEqual(["claude-code", "qwen"]);
  expect(listener.warnings.map(({ message }) => message)).toEqual([
    `Gemini CLI cannot connect: ${join(TMPDIR, "gemini")} ${why}: nothing is published there; remove it`,
  ]);
});

function mkdir(folder: string): string {
  mkdirSync(folder);
  return folder;
}

test("only files of ours are removed, when their process has ended", async () => {
  const { lockFile, listener, env } = await open();
  await listener.close();
  const folder = dirname(lockFile);
  const dead = { port: 1, workspacePath: "/w", authToken: "x", pid: 2 ** 22 - 1, started: "then" };
  const names = ["gemini-ide-server-4194303-1.json", "gemini-ide-server-4194303-2.json"] as const;
  writeFileSync(join(folder, names[0]), JSON.stringify({ ...dead, generator: "idewire" }));
  writeFileSync(join(folder, names[1]), JSON.stringify({ ...dead, port: 2 }));
  await at.listen({ host: hostOf(at.folder), dialects: [gemini], env });
  const left = readdirSync(folder).filter((name) => names.some((one) => one === name));
  expect(left).toEqual([names[1]]);
});
