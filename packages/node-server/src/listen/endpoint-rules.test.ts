import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { allDialects, claudeCode, codex, copilot, type Dialect, gemini, qwen } from "@idewire/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { useListeners } from "../../../../tests/src/listening-fixture.ts";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { placeAnswers } from "../process/liveness.ts";
import type { IdeListener, ListenIdeOptions } from "./listen-options.ts";

// The rules for every endpoint, whatever its protocol (SECURITY.md).

const at = useListeners();
const MIB = 1 << 20;
let env: { readonly HOME: string; readonly TMPDIR: string };

beforeEach(() => {
  env = { HOME: at.home, TMPDIR: temporaryFolder("idewire-tmp-") };
});

interface Target {
  readonly dialect: Dialect;
  readonly port?: number;
  readonly socketPath?: string;
  readonly lockFile: string;
  readonly token: string;
}

type Headers = Readonly<Record<string, string>>;

function listen(options: ListenIdeOptions = {}): Promise<IdeListener> {
  return at.listen({ dialects: allDialects, env, ...options });
}

function targetIn({ endpoints }: IdeListener, dialect: Dialect): Target {
  const found = endpoints.find((one) => one.dialect === dialect.id);
  const { port, socketPath, lockFile = "" } = found ?? {};
  const read = dialect.endpoint.discovery?.read(readFileSync(lockFile, "utf8"));
  if (read?.ok !== true) throw new Error(`${lockFile} is no discovery file`);
  const place = port === undefined ? { socketPath: socketPath ?? "" } : { port };
  return { dialect, ...place, lockFile, token: read.value.authToken ?? "" };
}

async function open(dialect: Dialect, options?: ListenIdeOptions) {
  const listener = await listen(options);
  return { listener, target: targetIn(listener, dialect) };
}

const message = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} },
};

/** A request of this length; over HTTP another one than `initialize`, which must be short there. */
function requestOf(bytes: number, { endpoint }: Dialect): string {
  const method = endpoint.kind === "web-socket" ? "initialize" : "tools/list";
  const padded = (text: string) => JSON.stringify({ ...message, method, padding: text });
  return padded("x".repeat(bytes - padded("").length));
}

/** The headers of a session of the last run. */
const going: Headers = {
  "mcp-session-id": "c0ffee00-0000-4000-8000-000000000000",
  "mcp-protocol-version": "2025-11-25",
};

/** The headers of a client with a token, using the endpoint's scheme, if any. */
function authorize(
  { dialect: { endpoint } }: Target,
  token: string,
  scheme = endpoint.scheme,
): Headers {
  if (endpoint.kind === "web-socket") return { "x-claude-code-ide-authorization": token };
  return { authorization: `${scheme ?? "Bearer"} ${token}` };
}

/** The status of the answer to a client; also 401 if the WebSocket is closed with 1008. */
function knock(
  target: Target,
  headers: Headers = {},
  text = JSON.stringify(message),
): Promise<number> {
  return target.dialect.endpoint.kind === "web-socket"
    ? connectTo(target, headers, text)
    : post(target, headers, text);
}

function connectTo({ port }: Target, headers: Headers, text: string): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers });
  onTestFinished(() => socket.terminate());
  socket.on("error", () => {});
  return new Promise((resolve) => {
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => socket.send(text));
    socket.once("message", () => resolve(200));
    socket.once("close", (code) => resolve(code === 1008 ? 401 : code));
  });
}

/** Announces a frame of 4 GiB; resolves to the code of the close frame. */
async function claimFrame({ port }: Target, headers: Headers): Promise<number> {
  const upgrade = {
    ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const outgoing = request({ host: "127.0.0.1", port, headers: { ...headers, ...upgrade } }).end();
  const [, socket] = (await once(outgoing, "upgrade")) as [unknown, Socket];
  onTestFinished(() => void socket.destroy());
  // The head of a masked text frame with an extended length of eight bytes.
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4]);
  socket.write(head);
  const [frame] = (await once(socket, "data")) as [Buffer];
  return frame[0] === 0x88 ? frame.readUInt16BE(2) : 0;
}

async function post({ port, socketPath }: Target, headers: Headers, text: string): Promise<number> {
  const outgoing = request({
    ...(port === undefined ? { socketPath } : { host: "127.0.0.1", port }),
    ...{ path: "/mcp", method: "POST", agent: false },
    headers: {
      ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...(port === undefined && { host: "localhost" }),
      ...headers,
    },
  });
  onTestFinished(() => void outgoing.destroy());
  outgoing.on("error", () => {});
  if (headers["content-length"] === undefined) outgoing.end(text);
  else outgoing.write(text);
  const [response] = await once(outgoing, "response");
  response.resume();
  return response.statusCode as number;
}

const families = [claudeCode, gemini, qwen, copilot].map(
  (dialect) => [`${dialect.id} (${dialect.endpoint.kind})`, dialect] as const,
);
const overHttp = families.filter(([, { endpoint }]) => endpoint.kind !== "web-socket");

describe.each(families)("the endpoint of %s", (_, dialect) => {
  test("has a token of 64 bytes that is unique to its family and is always required", async () => {
    const { listener, target } = await open(dialect);
    const { token } = target;
    expect(Buffer.from(token, "base64url")).toHaveLength(64);
    let refused = 0;
    listener.on("refused", () => {
      refused += 1;
    });
    const others = families.map(([, other]) => targetIn(listener, other).token);
    const wrong = others.filter((other) => other !== token);
    expect(wrong).toHaveLength(families.length - 1);
    const given = [...wrong, token.slice(1), `${token}x`, "x".repeat(token.length)];
    for (const one of given) expect(await knock(target, authorize(target, one))).toBe(401);
    expect(await knock(target)).toBe(401);
    await expect.poll(() => refused).toBe(given.length + 1);
    expect(listener.sessions.size).toBe(0);
    expect(await knock(target, authorize(target, token))).toBe(200);
  });

  test("refuses each Origin, and each Host that is not this machine's; Sec-Fetch-* never", async () => {
    const { target } = await open(dialect);
    const { token, port } = target;
    const admitted = authorize(target, token);
    const own = port === undefined ? "localhost" : `127.0.0.1:${port}`;
    for (const origin of [`http://${own}`, "null", "https://example.com"]) {
      expect(await knock(target, { ...admitted, origin })).toBe(403);
    }
    for (const host of ["example.com", `${own}.example.com`, "idewire.localhost.example.com"]) {
      expect(await knock(target, { ...admitted, host })).toBe(403);
    }
    const hosts = ["localhost", ...(port === undefined ? [] : [`localhost:${port}`, own])];
    const site = { "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" };
    for (const host of [...hosts, `[::1]:${port ?? 80}`]) {
      expect(await knock(target, { ...admitted, host, ...site })).toBe(200);
    }
  });

  test("reads nothing that a client without the token sends after its head", async () => {
    const { listener, target } = await open(dialect);
    const calls: unknown[] = [];
    listener.on("call", (__, call) => calls.push(call));
    // Of a body that never ends the first byte is sent; a frame is sent at once.
    const isSocket = dialect.endpoint.kind === "web-socket";
    const endless: Headers = isSocket ? {} : { "content-length": "1000000000" };
    for (const headers of [{}, authorize(target, "wrong")]) {
      expect(await knock(target, { ...headers, ...endless })).toBe(401);
    }
    expect(calls).toEqual([]);
  });

  test("accepts a message of 16 MiB, and none that is longer", async () => {
    const { target } = await open(dialect);
    const admitted = { ...going, ...authorize(target, target.token) };
    const tooLarge = dialect.endpoint.kind === "web-socket" ? 1009 : 413;
    expect(await knock(target, admitted, requestOf(16 * MIB + 1, dialect))).toBe(tooLarge);
    expect(await knock(target, admitted, requestOf(16 * MIB, dialect))).toBe(200);
  });

  test("refuses a message with an announced length of 4 GiB before it arrives", async () => {
    const { target } = await open(dialect);
    const admitted = { ...going, ...authorize(target, target.token) };
    const isWebSocket = dialect.endpoint.kind === "web-socket";
    const answer = isWebSocket
      ? await claimFrame(target, admitted)
      : await knock(target, { ...admitted, "content-length": String(2 ** 32) }, "{");
    expect(answer).toBe(isWebSocket ? 1009 : 413);
    expect(await knock(target, admitted)).toBe(200);
  });

  test("counts a message that is being read in the memory budget", async () => {
    const { target, listener } = await open(dialect, { limits: { maxClientBytes: 2 * MIB } });
    const admitted = authorize(target, target.token);
    const long = requestOf(4 * MIB, dialect);
    expect(await knock(target, { ...going, ...admitted }, long)).not.toBe(200);
    await expect.poll(() => listener.sessions.size).toBe(0);
    expect(await knock(target, admitted)).toBe(200);
  });

  test("is published atomically, for its user only, once it answers", async () => {
    const { folder } = dialect.endpoint.discovery ?? {};
    const base = folder?.base === "temp" ? env.TMPDIR : env.HOME;
    const directory = join(base, folder?.root ?? "", folder?.below ?? "");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const seen: Promise<boolean>[] = [];
    const watcher = watch(directory, (__, name) => {
      const path = join(directory, name ?? "");
      if (name === null || dialect.endpoint.discovery?.match(name) === undefined) return;
      if (existsSync(path)) seen.push(isWhole(path, dialect));
    });
    onTestFinished(() => watcher.close());
    const { target } = await open(dialect);
    expect(dirname(target.lockFile)).toBe(directory);
    expect(statSync(target.lockFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual([basename(target.lockFile)]);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    expect(new Set(await Promise.all(seen))).toEqual(new Set([true]));
    if (target.socketPath !== undefined) {
      expect(statSync(target.socketPath).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(target.socketPath)).mode & 0o777).toBe(0o700);
    }
  });

  test("creates the folders of its file for its user only", async () => {
    const { target } = await open(dialect);
    for (const folder of [dirname(target.lockFile), dirname(dirname(target.lockFile))]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test("removes only files of idewire whose process has ended", async () => {
    const first = await open(dialect);
    const text = readFileSync(first.target.lockFile, "utf8");
    const folder = dirname(first.target.lockFile);
    await first.listener.close();
    const dead = { ...JSON.parse(text), pid: 2 ** 22 - 1, ppid: 2 ** 22 - 1, started: "then" };
    const { generator, ...foreign } = dead;
    expect(generator).toBe("idewire");
    const names = [1, 2].map((port) =>
      dialect.endpoint.discovery?.fileName({ port, process: { pid: 4_194_303 } }, `dead-${port}`),
    );
    const nobody = { port: 1, socketPath: join(env.TMPDIR, "none") };
    for (const [at, file] of [dead, { ...foreign, generator: "other" }].entries()) {
      writeFileSync(join(folder, names[at] ?? ""), JSON.stringify({ ...file, ...nobody }));
    }
    await listen();
    expect(readdirSync(folder).filter((name) => names.includes(name))).toEqual([names[1]]);
  });
});

/** Whether a discovery file is complete, and its endpoint answers. */
async function isWhole(path: string, { endpoint }: Dialect): Promise<boolean> {
  const read = endpoint.discovery?.read(readFileSync(path, "utf8"));
  if (read?.ok !== true) return false;
  const named = endpoint.discovery?.match(basename(path));
  const { socketPath, port = named?.port ?? 0 } = read.value;
  return placeAnswers(socketPath === undefined ? { port } : { socketPath });
}

describe.each(overHttp)("a session of %s", (_, dialect) => {
  test("continues under an unknown id only with the token", async () => {
    const { listener, target } = await open(dialect);
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    for (const headers of [{}, authorize(target, "wrong")]) {
      expect(await knock(target, { ...going, ...headers }, list)).toBe(401);
    }
    expect(listener.sessions.size).toBe(0);
    expect(await knock(target, { ...going, ...authorize(target, target.token) }, list)).toBe(200);
    expect(listener.sessions.size).toBe(1);
  });

  test("survives a body that is too large, truncated or not JSON", async () => {
    const { target } = await open(dialect);
    const admitted = authorize(target, target.token);
    expect(await knock(target, { ...admitted, "content-length": `${1 << 25}` }, "{")).toBe(413);
    expect(await knock(target, admitted, "{")).toBe(400);
    expect(await knock(target, admitted)).toBe(200);
  });

  test("accepts only the authorization scheme of its family", async () => {
    const { target } = await open(dialect);
    const other = dialect.endpoint.scheme === "Nonce" ? "Bearer" : "Nonce";
    const { token } = target;
    expect(await knock(target, authorize(target, token, other))).toBe(401);
    expect(await knock(target, { authorization: token })).toBe(401);
    expect(await knock(target, authorize(target, token))).toBe(200);
  });
});

const uid = process.getuid?.() ?? 0;
const OWN = `idewire-${uid}`;

describe("the sockets of codex (frames)", () => {
  /** The sockets to which its agents connect: the shared one, and the editor's own. */
  const placesIn = ({ endpoints }: IdeListener) => {
    const { socketPath = "" } = endpoints.find((one) => one.dialect === codex.id) ?? {};
    return [join(env.TMPDIR, "codex-ipc", `ipc-${uid}.sock`), socketPath];
  };

  const dial = async (path: string): Promise<Socket> => {
    const socket = connect({ path });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };

  test("need no token: only their user has access to them and their folders", async () => {
    for (const path of placesIn(await listen())) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    }
  });

  test("answer no HTTP request, whatever its headers", async () => {
    for (const path of placesIn(await listen())) {
      const socket = await dial(path);
      const received: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => received.push(chunk));
      socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
      await once(socket, "close");
      expect(received).toEqual([]);
    }
  });

  test("refuse a frame with an announced length above 16 MiB, such as 4 GiB", async () => {
    for (const path of placesIn(await listen())) {
      for (const claimed of [16 * MIB + 1, 0xff_ff_ff_ff]) {
        const socket = await dial(path);
        const length = Buffer.alloc(4);
        length.writeUInt32LE(claimed);
        socket.write(length);
        const received: Buffer[] = [];
        socket.on("data", (chunk: Buffer) => received.push(chunk));
        await once(socket, "close");
        expect(received).toEqual([]);
      }
    }
  });
});

interface OwnFolder {
  /** Relative to the folder for temporary files. */
  readonly path: string;
  /** The dialects that cannot be served without it. */
  readonly lost: readonly Dialect[];
}

const folders: readonly OwnFolder[] = [
  { path: "gemini", lost: [gemini] },
  { path: join("gemini", "ide"), lost: [gemini] },
  { path: "codex-ipc", lost: [codex] },
  { path: OWN, lost: [copilot, codex] },
];

const faults: readonly (readonly [string, (folder: string) => void])[] = [
  ["is a link", (folder) => symlinkSync(temporaryFolder("idewire-elsewhere-"), folder)],
  [
    "may be written by others",
    (folder) => {
      mkdirSync(folder);
      chmodSync(folder, 0o770);
    },
  ],
  ["is not a folder", (folder) => writeFileSync(folder, "")],
  // Only root can create a folder of another user.
  ...(uid === 0
    ? [
        [
          "belongs to user 65534",
          (folder: string) => {
            mkdirSync(folder);
            chownSync(folder, 65_534, 65_534);
          },
        ] as const,
      ]
    : []),
];

describe.each(folders)("where $path among the temporary files", ({ path, lost }) => {
  test.each(faults)(
    "%s, nothing is published there, and the others are served",
    async (why, make) => {
      const folder = join(env.TMPDIR, path);
      mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
      make(folder);
      const listener = await listen();
      const refused = `${folder} ${why}: nothing is published there; remove it`;
      expect(listener.warnings.map(({ message: text }) => text)).toEqual(
        lost.map(({ agent }) => `${agent?.title} cannot connect: ${refused}`),
      );
      const served = allDialects.filter((dialect) => !lost.includes(dialect));
      expect(listener.endpoints.map(({ dialect }) => dialect)).toEqual(served.map(({ id }) => id));
      if (statSync(folder).isDirectory()) expect(readdirSync(folder)).toEqual([]);
    },
  );
});

test.each(families)(
  "a socket of %s that cannot be opened leaves no discovery file",
  async (_, dialect) => {
    const tooLong = { ...env, TMPDIR: join(env.TMPDIR, "x".repeat(90)) };
    mkdirSync(tooLong.TMPDIR);
    const { port = 0 } = (await at.listen({ env })).endpoints[0] ?? {};
    const folder = dialect.endpoint.discovery?.folder;
    const failed = listen({ dialects: [dialect], env: tooLong, port, resume: false });
    await expect(failed).rejects.toThrow();
    const base = folder?.base === "temp" ? tooLong.TMPDIR : env.HOME;
    const directory = join(base, folder?.root ?? "", folder?.below ?? "");
    const files = existsSync(directory) ? readdirSync(directory) : [];
    expect(files).toEqual(dialect === claudeCode ? [`${port}.lock`] : []);
  },
);

// Of the file system of the kernel's objects nobody can make files, whoever it is.
test.runIf(process.platform === "linux").each([
  [claudeCode, "CLAUDE_CONFIG_DIR"],
  [qwen, undefined],
  [copilot, "COPILOT_HOME"],
] as const)(
  "a file of $id that cannot be written affects only $id, and the remedy is named",
  async (dialect, movedBy) => {
    const { root = "", below = "" } = dialect.endpoint.discovery?.folder ?? {};
    mkdirSync(join(env.HOME, root), { mode: 0o700 });
    symlinkSync("/sys", join(env.HOME, root, below));
    const others = allDialects.filter((one) => one !== dialect);
    const listener = await listen({ dialects: [...others, dialect] });
    const [{ message: text } = { message: "" }] = listener.warnings;
    expect(text).toContain(`cannot connect: Cannot write ${join(env.HOME, root, below)}`);
    const another = movedBy === undefined ? "another" : `another with ${movedBy}`;
    expect(text.endsWith(`make its directory yours and writable, or choose ${another}`)).toBe(true);
    expect(listener.endpoints.map(({ dialect: id }) => id)).toEqual(others.map(({ id }) => id));
  },
);
