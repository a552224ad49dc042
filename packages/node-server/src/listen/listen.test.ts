import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { isAbsolute, join } from "node:path";
import type { EditorHost, PosixPath } from "@idewire/core";
import { claudeDiscovery } from "@idewire/core/internal";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { silentPort } from "../../../../tests/src/silent-port.ts";
import { discoveryDirectory } from "../files/directories.ts";
import { ownIdentity } from "../process/liveness.ts";
import type { IdeListener } from "./listen-options.ts";

const at = useListeners();
const { listen } = at;
const sockets: WebSocket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

/** An editor that opens and closes folders while it runs. */
function movingHost(...paths: string[]) {
  const listeners = new Set<() => void>();
  let folders = paths;
  const host: EditorHost = {
    ...hostOf(at.folder),
    workspace: () => ({
      folders: folders.map((path) => ({ path: path as PosixPath, name: "work" })),
      trusted: true,
    }),
    on: (event, listener) => {
      if (event === "workspace") listeners.add(listener as () => void);
      return () => listeners.delete(listener as () => void);
    },
  };
  const move = (...now: string[]) => {
    folders = now;
    for (const listener of listeners) listener();
  };
  return { host, move, listeners };
}

function facts(listener: IdeListener) {
  const [{ port, lockFile, ...endpoint } = {}] = listener.endpoints;
  if (port === undefined || lockFile === undefined) throw new Error("no endpoint");
  return { ...endpoint, port, lockFile };
}

/** Removes the sockets, as with an older idewire, which no other process can join. */
async function removeSockets(): Promise<void> {
  const folder = join(at.home, ".local/state/idewire");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sock"));
  await Promise.all(names.map((name) => rm(join(folder, name))));
}

async function lockOf(listener: IdeListener) {
  const lock = claudeDiscovery.read(await readFile(facts(listener).lockFile, "utf8"));
  if (!lock.ok) throw new Error(lock.issue);
  return lock.value;
}

interface Dial {
  readonly autoPong?: boolean;
  readonly path?: string;
  readonly protocols?: string[];
  readonly headers?: Record<string, string>;
  readonly token?: string | undefined;
}

async function dial(listener: IdeListener, options: Dial = {}): Promise<WebSocket> {
  const token = "token" in options ? options.token : (await lockOf(listener)).authToken;
  const { port } = facts(listener);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${options.path ?? "/"}`, options.protocols, {
    autoPong: options.autoPong ?? true,
    headers: {
      ...(token !== undefined && { "x-claude-code-ide-authorization": token }),
      ...options.headers,
    },
  });
  socket.on("error", () => {});
  sockets.push(socket);
  return socket;
}

function closed(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}

function opened(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
}

function refusal(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
  });
}

function ask(socket: WebSocket, message: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once("message", (data) => resolve(JSON.parse(data.toString())));
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  });
}

/** Retries once with twenty times the time if the time was too short, as on a busy machine. */
async function withTime<T>(
  attempt: (factor: number) => Promise<T>,
  wasShort: (result: T) => boolean,
): Promise<T> {
  const result = await attempt(1);
  if (!wasShort(result)) return result;
  await at.closeAll();
  return attempt(20);
}

/** Whether the client was closed by keep-alive. */
function isClosed(outcome: unknown): boolean {
  return typeof outcome === "object" && outcome !== null && "reason" in outcome;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const initialize = {
  ...ping,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} },
};

describe("the lock file", () => {
  test("is published after the socket listens, for its user alone, with real paths", async () => {
    const listener = await listen();
    const { lockFile, port } = facts(listener);
    expect(lockFile).toBe(join(at.home, ".claude", "ide", `${port}.lock`));
    expect((await stat(lockFile)).mode & 0o777).toBe(0o600);
    expect((await stat(join(at.home, ".claude", "ide"))).mode & 0o777).toBe(0o700);
    const lock = await lockOf(listener);
    expect(lock).toMatchObject({
      pid: process.pid,
      workspaceFolders: [at.folder],
      transport: "ws",
      runningInWindows: false,
      generator: "idewire",
    });
    expect(lock.authToken).toMatch(/^[\w-]{86}$/);
    expect(await readdir(join(at.home, ".claude", "ide"))).toEqual([`${port}.lock`]);
  });

  test("lists the links to the folder beside its real path", async () => {
    const link = `${at.folder}-link`;
    await symlink(at.folder, link);
    try {
      const { workspaceFolders } = await lockOf(await listen({ links: [link, at.folder] }));
      expect(workspaceFolders).toEqual([at.folder, link]);
    } finally {
      await rm(link);
    }
  });

  test("is written to CLAUDE_CONFIG_DIR alone when that is set", async () => {
    const config = join(at.home, "elsewhere");
    const listener = await listen({ env: { HOME: at.home, CLAUDE_CONFIG_DIR: config } });
    expect(facts(listener).lockFile).toBe(join(config, "ide", `${facts(listener).port}.lock`));
    expect(existsSync(join(at.home, ".claude"))).toBe(false);
  });

  test("is removed on close, and an existing directory retains its mode", async () => {
    await mkdir(join(at.home, ".claude", "ide"), { recursive: true, mode: 0o755 });
    const listener = await listen();
    const { lockFile } = facts(listener);
    await listener.close();
    expect(existsSync(lockFile)).toBe(false);
    expect((await stat(join(at.home, ".claude", "ide"))).mode & 0o777).toBe(0o755);
  });

  test("of another program is never touched, whatever it contains", async () => {
    const directory = join(at.home, ".claude", "ide");
    await mkdir(directory, { recursive: true });
    const texts: Record<string, string> = {
      "1.lock": "",
      "2.lock": "not json",
      "3.lock": JSON.stringify({ pid: 999_999_999, workspaceFolders: [at.folder] }),
      "4.lock": JSON.stringify({ generator: "other", pid: 999_999_999, workspaceFolders: [] }),
      "abc.lock": "{}",
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
    const mine = { generator: "idewire", pid: 999_999_999, workspaceFolders: [at.folder] };
    await writeFile(join(directory, "5.lock"), JSON.stringify(mine));
    const listener = await listen();
    await listener.close();
    expect((await readdir(directory)).sort()).toEqual(Object.keys(texts).sort());
  });
});

describe("admission", () => {
  test.each([
    ["no token", undefined],
    ["a wrong token", "x".repeat(86)],
    ["a token of another length", "x"],
  ])("closes %s with 1008 before any message is read", async (_, token) => {
    const listener = await listen();
    let calls = 0;
    listener.on("call", () => {
      calls += 1;
    });
    const socket = await dial(listener, { token });
    const messages: unknown[] = [];
    socket.on("message", (data) => messages.push(data));
    socket.on("open", () => socket.send(JSON.stringify(ping)));
    expect(await closed(socket)).toEqual({
      code: 1008,
      reason: "Invalid or missing authentication token",
    });
    expect({ calls, messages }).toEqual({ calls: 0, messages: [] });
  });

  test.each([
    ["/", undefined, ""],
    ["/mcp", ["mcp"], "mcp"],
    ["/?x=1", ["other", "mcp"], "mcp"],
  ])("admits %s with the sub-protocols %j", async (path, protocols, echoed) => {
    const socket = await dial(await listen(), { path, ...(protocols && { protocols }) });
    await opened(socket);
    expect(socket.protocol).toBe(echoed);
    expect(await ask(socket, ping)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test.each([
    ["a foreign Origin", { headers: { Origin: "https://evil.example" } }, 403],
    ["the Origin null", { headers: { Origin: "null" } }, 403],
    ["a foreign Host", { headers: { Host: "evil.example" } }, 403],
    ["a Host that only begins like ours", { headers: { Host: "127.0.0.1.evil.example" } }, 403],
    ["a wrong path", { path: "/other" }, 404],
    ["an unknown sub-protocol", { protocols: ["graphql-ws"] }, 400],
  ])("refuses %s before the upgrade", async (_, options, status) => {
    expect(await refusal(await dial(await listen(), options))).toBe(status);
  });

  test("negotiates no compression, even if a client offers it", async () => {
    // Each client of ws offers it.
    const socket = await dial(await listen());
    await opened(socket);
    expect(socket.extensions).toBe("");
  });

  test("refuses plain HTTP with 426, and a foreign Host first with 403", async () => {
    const { port } = facts(await listen());
    const status = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ port, host: "127.0.0.1", headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
    expect(await status({})).toBe(426);
    expect(await status({ Host: "evil.example" })).toBe(403);
  });

  test("refuses two Host headers with 400, whichever of them is ours", async () => {
    const { port } = facts(await listen());
    for (const hosts of ["127.0.0.1\r\nHost: evil.example", "evil.example\r\nHost: 127.0.0.1"]) {
      const socket = connect({ host: "127.0.0.1", port });
      socket.write(`GET / HTTP/1.1\r\nHost: ${hosts}\r\n\r\n`);
      const chunks: string[] = [];
      for await (const chunk of socket) chunks.push(String(chunk));
      expect(chunks.join("")).toMatch(/^HTTP\/1.1 400 .*Expected one Host header, got 2/s);
    }
  });

  test("admits a Host and an Origin that were allowed by name", async () => {
    const listener = await listen({
      allowedHosts: ["Dev.Example"],
      allowedOrigins: ["http://localhost:7"],
    });
    const headers = { Host: "dev.example:1", Origin: "http://localhost:7" };
    const socket = await dial(listener, { headers });
    await opened(socket);
    expect(await ask(socket, ping)).toMatchObject({ result: {} });
  });

  test("refuses one client more than the limit, and serves it when another has disconnected", async () => {
    const listener = await listen({ limits: { maxConnections: 2 } });
    const [first, second] = [await dial(listener), await dial(listener)];
    await Promise.all([opened(first), opened(second)]);
    expect(await refusal(await dial(listener))).toBe(503);
    const gone = closed(first);
    first.terminate();
    await gone;
    await expect.poll(() => listener.sessions.size).toBe(1);
    const third = await dial(listener);
    await opened(third);
    expect(await ask(third, ping)).toMatchObject({ result: {} });
  });

  test("remains open for clients with the token, however many are silent or without one", async () => {
    const listener = await listen();
    const { port } = facts(listener);
    const clients = Array.from({ length: 700 }, () => connect({ host: "127.0.0.1", port }));
    for (const socket of clients) socket.on("error", () => {});
    const unauthenticated = await Promise.all(
      Array.from({ length: 300 }, () => dial(listener, { token: "x", autoPong: false })),
    );
    for (const socket of unauthenticated) socket.pause();
    expect(await ask(await openedSocket(listener), ping)).toMatchObject({ result: {} });
    for (const socket of clients) socket.destroy();
  });

  test("does not bind to the network without an allowed host name", async () => {
    await expect(listen({ address: "0.0.0.0" })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });
});

describe("the file system", () => {
  test("that refuses the lock file is named, with the remedy", async () => {
    await writeFile(join(at.home, ".claude"), "a file where a directory should be");
    await expect(listen()).rejects.toMatchObject({
      code: "file-system",
      message: expect.stringMatching(/\.claude\/ide \((EEXIST|ENOTDIR)\)/),
    });
  });

  test("that refuses the state file costs the next start its port, and causes a warning", async () => {
    await writeFile(join(at.home, ".local"), "a file where a directory should be");
    const listener = await listen();
    expect(listener.warnings).toMatchObject([{ code: "file-system" }]);
    expect(await ask(await openedSocket(listener), ping)).toMatchObject({ result: {} });
  });

  test.each([
    "",
    "{}",
    "[]",
    "null",
    '{"ports":1}',
    "\0",
    '{"folder":1,"token":2,"ports":{"x":99999}}',
  ])("may contain a damaged state file: %j", async (text) => {
    const first = await listen();
    await first.close();
    const state = join(at.home, ".local", "state", "idewire");
    for (const name of await readdir(state)) await writeFile(join(state, name), text);
    expect(await ask(await openedSocket(await listen()), ping)).toMatchObject({ result: {} });
  });
});

describe("foreign files in place of ours", () => {
  test("a pipe in place of a lock file or a state file does not block", async () => {
    const directory = join(at.home, ".claude", "ide");
    await mkdir(directory, { recursive: true });
    execFileSync("mkfifo", [join(directory, "1.lock")]);
    await (await listen()).close();
    const state = join(at.home, ".local", "state", "idewire");
    for (const name of await readdir(state)) {
      await rm(join(state, name));
      execFileSync("mkfifo", [join(state, name)]);
    }
    expect(facts(await listen()).port).toBeGreaterThan(0);
  });

  test("a damaged lock file is named, and left in place", async () => {
    const directory = join(at.home, ".claude", "ide");
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "7.lock"), "{bad");
    const listener = await listen();
    expect(listener.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/7\.lock is not a lock file: the file is not JSON; remove it/),
    ]);
    expect(await readdir(directory)).toContain("7.lock");
  });

  test("an empty HOME or a relative CLAUDE_CONFIG_DIR still means one absolute place", () => {
    expect(isAbsolute(discoveryDirectory(claudeDiscovery.folder, { HOME: "" }))).toBe(true);
    expect(
      isAbsolute(discoveryDirectory(claudeDiscovery.folder, { CLAUDE_CONFIG_DIR: "rel" })),
    ).toBe(true);
  });
});

describe("a client that breaks the framing", () => {
  test.each([
    ["a binary frame", (socket: WebSocket) => socket.send(Buffer.from("{}")), 1003],
    ["a frame over the limit", (socket: WebSocket) => socket.send("x".repeat(70_000)), 1009],
    [
      "invalid UTF-8",
      (socket: WebSocket) => socket.send(Buffer.from([0xff]), { binary: false }),
      1007,
    ],
  ])("is closed: %s", async (_, act, code) => {
    const listener = await listen({ limits: { maxFrameBytes: 65_536 } });
    const other = await dial(listener);
    const socket = await dial(listener);
    await Promise.all([opened(other), opened(socket)]);
    act(socket);
    expect((await closed(socket)).code).toBe(code);
    expect(await ask(other, ping)).toMatchObject({ result: {} });
  });

  test("is closed when it does not finish a message, even if it answers pings", async () => {
    const end = await withTime(
      async (factor) => {
        const limits = { handshakeTimeoutMs: 300 * factor, keepAliveMs: 60 * factor };
        const socket = await openedSocket(await listen({ limits }));
        const end = closed(socket);
        await Promise.race([ask(socket, initialize), end]);
        socket.send('{"half":', { fin: false });
        return end;
      },
      // The same limit applies to `initialize`.
      ({ reason }) => reason.startsWith("No initialize"),
    );
    const reason = expect.stringMatching(/^A message was not finished in \d+ ms$/);
    expect(end).toEqual({ code: 1008, reason });
  });

  test("is closed when it never sends initialize", async () => {
    const listener = await listen({ limits: { handshakeTimeoutMs: 1_000 } });
    const socket = await openedSocket(listener);
    expect((await closed(socket)).reason).toBe("No initialize in 1000 ms");
  });

  test("is closed when it sends no request at all", async () => {
    const listener = await listen({ limits: { handshakeTimeoutMs: 200 } });
    const socket = connect({ host: "127.0.0.1", port: facts(listener).port });
    socket.resume();
    const [hadError] = await once(socket, "close");
    expect([hadError, socket.bytesWritten]).toEqual([false, 0]);
  });
});

describe("keep-alive", () => {
  test("closes a client that misses two pings", async () => {
    const listener = await listen({ limits: { keepAliveMs: 60 } });
    const socket = await dial(listener, { autoPong: false });
    let pings = 0;
    socket.on("ping", () => {
      pings += 1;
    });
    expect((await closed(socket)).code).toBe(1006);
    expect(pings).toBe(2);
    await expect.poll(() => listener.sessions.size).toBe(0);
  });

  test("keeps a client that answers them", async () => {
    const answer = await withTime(async (factor) => {
      const listener = await listen({ limits: { keepAliveMs: 60 * factor } });
      const socket = await openedSocket(listener);
      const end = closed(socket);
      await pause(400 * factor);
      return Promise.race([ask(socket, ping), end]);
    }, isClosed);
    expect(answer).toMatchObject({ result: {} });
  });

  /** A client that does not answer pings, and sends the pid of another process as its own. */
  async function dialSilently(pid: number, keepAliveMs: number) {
    const listener = await listen({ limits: { keepAliveMs } });
    const socket = await dial(listener, { autoPong: false });
    const end = closed(socket);
    await opened(socket);
    await Promise.race([ask(socket, initialize), end]);
    for (const method of ["notifications/initialized", "ide_connected"]) {
      socket.send(JSON.stringify({ jsonrpc: "2.0", method, params: { pid } }));
    }
    return { listener, socket, end };
  }

  test("keeps a CLI stopped by Ctrl-Z, which answers nothing until it is continued", async () => {
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.kill("SIGSTOP");
    const answer = await withTime(async (factor) => {
      const { socket, end } = await dialSilently(child.pid ?? 0, 60 * factor);
      await pause(400 * factor);
      return Promise.race([ask(socket, ping), end]);
    }, isClosed);
    expect(answer).toMatchObject({ result: {} });
  });

  test("closes a silent client, even if a process with its pid is running", async () => {
    for (const pid of [process.pid, 1, 2 ** 30]) {
      const { listener, end } = await dialSilently(pid, 60);
      expect((await end).code).toBe(1006);
      await expect.poll(() => listener.sessions.size).toBe(0);
      await listener.close();
    }
  });
});

describe("the lock file of a dead idewire", () => {
  const leave = async (port: number, members: object) => {
    const directory = join(at.home, ".claude", "ide");
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${port}.lock`);
    const whole = { workspaceFolders: [at.folder], transport: "ws", authToken: "t", ...members };
    await writeFile(path, JSON.stringify(whole));
    return path;
  };

  test.each([
    ["that is recycled", { pid: process.pid, generator: "idewire" }],
    [
      "that is recycled since the file was written",
      { pid: 1, started: "a 1", generator: "idewire" },
    ],
    ["that is dead", { pid: 2 ** 30, generator: "idewire" }],
    ["that it does not name", { generator: "idewire" }],
    ["that agents do not see", { generatorPid: process.pid, started: "a 1", generator: "idewire" }],
  ])("is removed when its port refuses, whatever process has the pid %s", async (_, members) => {
    const path = await leave(await silentPort(), members);
    await listen();
    expect(existsSync(path)).toBe(false);
  });

  test("stays while its port answers, or its process is the one that wrote it", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const answering = await leave(port, { pid: 1, started: "a 1", generator: "idewire" });
    const own = await leave(await silentPort(), { ...ownIdentity(), generator: "idewire" });
    const foreign = await leave(await silentPort(), { pid: 2 ** 30 });
    await listen();
    for (const path of [answering, own, foreign]) expect(existsSync(path)).toBe(true);
  });
});

describe("a listener that comes back", () => {
  test("has the same port and token, so that agents reconnect", async () => {
    const first = await listen();
    const before = { port: facts(first).port, token: (await lockOf(first)).authToken };
    await first.close();
    const second = await listen();
    expect({ port: facts(second).port, token: (await lockOf(second)).authToken }).toEqual(before);
  });

  test("emits every event to a listener that is added at once, though agents connect while it starts", async () => {
    const first = await listen();
    const token = (await lockOf(first)).authToken;
    const { port } = facts(first);
    await first.close();
    const received: string[] = [];
    const starting = listen().then((listener) => {
      listener.on("connected", () => received.push("connected"));
      listener.on("call", (_, { method }) => received.push(method));
    });
    let socket: WebSocket;
    do {
      socket = new WebSocket(`ws://127.0.0.1:${port}`, {
        headers: { "x-claude-code-ide-authorization": token ?? "" },
      });
      sockets.push(socket);
    } while (
      !(await opened(socket).then(
        () => true,
        () => false,
      ))
    );
    socket.send(JSON.stringify(ping));
    await starting;
    await expect.poll(() => received).toEqual(["connected", "ping"]);
  });

  test("survives a client that connects while it starts and disconnects before it is admitted", async () => {
    const first = await listen();
    const { port } = facts(first);
    await first.close();
    const starting = listen();
    const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n";
    const connecting = setInterval(() => {
      const socket = connect({ host: "127.0.0.1", port }, () => {
        socket.write(head + key);
        setTimeout(() => socket.resetAndDestroy(), 1);
      });
      socket.on("error", () => {});
    }, 1);
    const second = await starting;
    await pause(100);
    clearInterval(connecting);
    expect(await ask(await openedSocket(second), ping)).toMatchObject({ result: {} });
  });

  test("uses another port when another program has the old one", async () => {
    const first = await listen();
    const { port } = facts(first);
    await first.close();
    const other = await listen({ host: hostOf(at.home), port });
    const second = await listen();
    expect(facts(other).port).toBe(port);
    expect(facts(second).port).not.toBe(port);
  });

  test("fails while a process that cannot be joined serves the folder, naming its pid and port", async () => {
    const first = await listen();
    await removeSockets();
    await expect(listen()).rejects.toMatchObject({
      code: "folder-in-use",
      message: expect.stringMatching(
        new RegExp(`process ${process.pid} on port ${facts(first).port}`),
      ),
    });
    expect(await ask(await openedSocket(first), ping)).toMatchObject({ result: {} });
  });

  test("of several that start at once one serves, and the others join it", async () => {
    const all = await Promise.all([listen(), listen(), listen()]);
    expect(all.map(({ joined }) => joined).sort()).toEqual([false, true, true]);
    expect(new Set(all.map((each) => facts(each).port)).size).toBe(1);
  });
});

async function openedSocket(listener: IdeListener): Promise<WebSocket> {
  const socket = await dial(listener);
  await opened(socket);
  return socket;
}

describe("an editor that opens and closes folders", () => {
  test("is found by its current folders, on the same port and with the same token", async () => {
    const { host, move } = movingHost(at.folder);
    const listener = await listen({ host });
    const before = await lockOf(listener);
    const { port } = facts(listener);
    const other = join(at.home, "other");
    for (const now of [[at.folder, other], [other], [], [at.folder]]) {
      move(...now);
      await expect.poll(async () => (await lockOf(listener)).workspaceFolders).toEqual(now);
      expect(await lockOf(listener)).toEqual({ ...before, workspaceFolders: now });
      await expect.poll(() => facts(listener)).toMatchObject({ port, folders: now });
    }
  });

  test("leaves a folder to another process that serves it, and reports it", async () => {
    const other = join(at.home, "other");
    const first = await listen({ host: hostOf(other) });
    const { host, move } = movingHost(at.folder);
    const second = await listen({ host });
    const warnings: string[] = [];
    second.on("warning", ({ message }) => void warnings.push(message));
    move(other, at.folder, join(at.home, "third"));
    const mine = [at.folder, join(at.home, "third")];
    await expect.poll(async () => (await lockOf(second)).workspaceFolders).toEqual(mine);
    expect(warnings).toEqual([expect.stringContaining(`${other} is served already`)]);
    expect((await lockOf(first)).workspaceFolders).toEqual([other]);
  });

  test("releases closed folders to others", async () => {
    const { host, move } = movingHost(at.folder);
    await listen({ host });
    await removeSockets();
    await expect(listen()).rejects.toMatchObject({ code: "folder-in-use" });
    move(join(at.home, "other"));
    await expect
      .poll(() => listen().catch((error: Error) => error.message))
      .toHaveProperty("close");
  });

  test("without resume is found by its current folders, too", async () => {
    const { host, move } = movingHost(at.folder);
    const listener = await listen({ host, resume: false });
    move(at.home);
    await expect.poll(async () => (await lockOf(listener)).workspaceFolders).toEqual([at.home]);
  });

  test("leaves no lock file, however late it opened or closed one", async () => {
    const { host, move, listeners } = movingHost(at.folder);
    const listener = await listen({ host });
    move(at.home);
    await listener.close();
    expect(existsSync(facts(listener).lockFile)).toBe(false);
    expect(listeners.size).toBe(0);
  });
});
