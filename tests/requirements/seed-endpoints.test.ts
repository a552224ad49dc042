import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { claudeCodeSpec, type Dialect, jetBrains } from "@idewire/core";
import type { ServerFile } from "@idewire/core/internal";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { listenIde } from "@idewire/node-server";
import { webSocketsOf } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { verifies } from "../src/verifies.ts";

const TOKEN_HEADER = "X-Claude-Code-Ide-Authorization";

/** A served editor with a separate home. */
async function serve(dialect: Dialect = claudeCodeSpec, more: Record<string, string> = {}) {
  const home = temporaryFolder("idewire-seed-");
  const env = { HOME: home, ...more };
  const host = fakeEditorHost({ name: "My Custom IDE", version: "0.1.0" });
  host.folders = [
    { path: posixPath("/path/to/project1"), name: "project1" },
    { path: posixPath("/path/to/project2"), name: "project2" },
  ];
  const listener = await listenIde(host, { dialects: [dialect], env });
  onTestFinished(() => listener.close());
  const [endpoint] = webSocketsOf(listener.endpoints);
  if (endpoint === undefined) throw new Error("nothing listens");
  const lock = JSON.parse(readFileSync(endpoint.lockFile, "utf8")) as ServerFile;
  return { home, listener, ...endpoint, lock };
}

interface Upgrade {
  readonly port: number;
  readonly token?: string | undefined;
  readonly path?: string;
  readonly protocols?: readonly string[];
}

/** Connects and sends a ping; returns the outcome. */
function upgrade({ port, token, path = "/mcp", protocols = ["mcp"] }: Upgrade) {
  const headers = token === undefined ? {} : { [TOKEN_HEADER]: token };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], { headers });
  onTestFinished(() => socket.terminate());
  return new Promise<{
    status?: number;
    protocol?: string;
    frame?: string;
    code?: number;
    reason?: string;
  }>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_, { statusCode }) => {
      resolve({ ...(statusCode !== undefined && { status: statusCode }) });
    });
    socket.on("open", () => socket.send('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    socket.on("message", (data, isBinary) => {
      if (!isBinary) resolve({ protocol: socket.protocol, frame: data.toString() });
    });
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}

const PONG = { protocol: "mcp", frame: '{"jsonrpc":"2.0","id":1,"result":{}}' };

verifies(
  ["s2:lock-location", "s2:port", "s2:lock-private"],
  "the lock file is in the home directory, named by the port, and private to its owner",
  async () => {
    const { home, port, lockFile } = await serve();
    expect(lockFile).toBe(join(home, ".claude", "ide", `${port}.lock`));
    expect(readdirSync(dirname(lockFile))).toEqual([basename(lockFile)]);
    if (process.platform === "win32") return;
    expect(statSync(lockFile).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(lockFile)).mode & 0o777).toBe(0o700);
  },
);

verifies(
  "s0:lock-file",
  "the file of seed 000 is in the home directory, and the only one",
  async () => {
    const { home, port, lockFile, listener } = await serve(jetBrains);
    expect(lockFile).toBe(join(home, ".claude-code", `${port}.json`));
    const { authToken, ...file } = JSON.parse(readFileSync(lockFile, "utf8"));
    expect(Buffer.from(authToken, "base64url")).toHaveLength(64);
    expect(file).toMatchObject({ port, projectPath: "/path/to/project1" });
    expect(existsSync(join(home, ".claude"))).toBe(false);
    if (process.platform !== "win32") expect(statSync(lockFile).mode & 0o777).toBe(0o600);
    await listener.close();
    expect(existsSync(lockFile)).toBe(false);
  },
);

test("files of a crashed run are removed there, and those of others are preserved", async () => {
  const home = temporaryFolder("idewire-seed-");
  const folder = join(home, ".claude-code");
  mkdirSync(folder);
  const file = { authToken: "t", projectPath: "/p", pid: 2 ** 22 + 1 };
  const ours = JSON.stringify({ ...file, port: 1, generator: "idewire" });
  writeFileSync(join(folder, "1.json"), ours);
  writeFileSync(join(folder, "2.json"), JSON.stringify({ ...file, port: 2 }));
  const { lockFile } = await serve(jetBrains, { HOME: home });
  expect(readdirSync(folder).sort()).toEqual(["2.json", basename(lockFile)].sort());
});

verifies("s2:lock-config-dir", "CLAUDE_CONFIG_DIR overrides its directory", async () => {
  const folder = temporaryFolder("idewire-config-");
  const { lockFile, port } = await serve(claudeCodeSpec, { CLAUDE_CONFIG_DIR: folder });
  expect(lockFile).toBe(join(folder, "ide", `${port}.lock`));
});

verifies(
  [
    "s2:lock-format",
    "s2:lock-folders",
    "s2:lock-pid",
    "s2:lock-ide-name",
    "s2:lock-transport",
    "s2:lock-windows",
    "s2:lock-token",
  ],
  "the lock file says who serves what, and the token of this server alone",
  async () => {
    const first = await serve();
    expect(first.lock).toMatchObject({
      workspaceFolders: ["/path/to/project1", "/path/to/project2"],
      pid: process.pid,
      ideName: "My Custom IDE",
      transport: "ws",
      runningInWindows: process.platform === "win32",
    });
    const { authToken = "" } = first.lock;
    expect(Buffer.from(authToken, "base64url")).toHaveLength(64);
    expect(authToken).toMatch(/^[\w-]{86}$/);
    expect((await serve()).lock.authToken).not.toBe(authToken);
  },
);

verifies(
  [
    "s0:endpoint",
    "s0:token-header",
    "s0:connect",
    "s0:token-checked",
    "s0:token-accepted",
    "s2:endpoint",
    "s2:token-header",
    "s2:token-valid",
    "s2:sub-protocol",
    "s2:text-frames",
  ],
  "clients with the token are served at /mcp, over text frames, by the sub-protocol mcp",
  async () => {
    for (const dialect of [jetBrains, claudeCodeSpec]) {
      const { port, lock } = await serve(dialect);
      const token = lock.authToken;
      expect(await upgrade({ port, token })).toEqual(PONG);
      expect(await upgrade({ port, token, protocols: ["other", "mcp"] })).toEqual(PONG);
      expect(await upgrade({ port, token, protocols: ["other"] })).toEqual({ status: 400 });
      expect(await upgrade({ port, token, path: "/elsewhere" })).toEqual({ status: 404 });
    }
  },
);

verifies(
  ["s0:token-refused", "s2:token-invalid"],
  "a wrong or missing token is closed with 1008 before anything is answered",
  async () => {
    const { port, lock } = await serve();
    const refused = { code: 1008, reason: "Invalid or missing authentication token" };
    for (const token of [undefined, "wrong", `${lock.authToken}x`]) {
      expect(await upgrade({ port, token })).toEqual(refused);
    }
  },
);

verifies("s2:host", "only 127.0.0.1 is listened on", async () => {
  const { port, url } = await serve();
  expect(url).toBe(`ws://127.0.0.1:${port}`);
  if (process.platform !== "linux") return;
  // The same port of another loopback address is still free.
  const other = createServer();
  await new Promise<void>((resolve, reject) => {
    other.once("error", reject);
    other.listen(port, "127.0.0.2", resolve);
  });
  other.close();
});

verifies(
  ["s2:lifecycle", "s2:lock-removed"],
  "after a client has disconnected the next is served; the lock file is removed with the server",
  async () => {
    const { port, lock, lockFile, listener } = await serve();
    for (let count = 0; count < 2; count += 1) {
      const gone = new Promise<void>((resolve) => {
        const stop = listener.on("disconnected", () => {
          stop();
          resolve();
        });
      });
      const socket = new WebSocket(`ws://127.0.0.1:${port}/mcp`, "mcp", {
        headers: { [TOKEN_HEADER]: lock.authToken ?? "" },
      });
      socket.on("open", () => socket.close());
      await gone;
      expect(listener.sessions.size).toBe(0);
      expect(existsSync(lockFile)).toBe(true);
    }
    await listener.close();
    expect(existsSync(lockFile)).toBe(false);
    expect(await upgrade({ port })).toEqual({ code: 1006, reason: "" });
  },
);
