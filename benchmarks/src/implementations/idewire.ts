import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCode, type Dialect } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { createHttpTransport } from "@idewire/http";
import {
  createNodeWebSocketTransport,
  type IdeListener,
  listenIde,
  listenMcp,
} from "@idewire/node-server";
import { FrameCache } from "@idewire/node-server/internal";
import { redisStore } from "@idewire/node-server/redis";
import { createStdioTransport, spawnStdioTransport } from "@idewire/node-server/stdio";
import { WebSocket } from "ws";
import { BenchHost } from "../bench-host.ts";
import type { Client, Implementation, Listening, ServerOptions } from "../implementation.ts";
import { addTools, createOpenDiff, createTools } from "../tools.ts";

const info = { name: "bench", version: "1.0.0" };

/**
 * The shipped code: McpServer and McpClient in memory; over ws all of `listenIde`, including token, limits and
 * keep-alive, with the benchmarks' tools in Claude Code's dialect.
 */
export const idewire: Implementation = {
  async joinInMemory({ toolCount }) {
    const [near, far] = createMemoryTransportPair();
    const server = new McpServer<undefined>(info);
    addTools(server, toolCount);
    server.connect(far);
    return new IdewireClient(await McpClient.connect(near, { ...info, era: "legacy" }));
  },

  async listen(options) {
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), "idewire-bench-"));
    const host = new BenchHost(folder);
    const listener = await listenIde(host, {
      dialects: [benchDialect(options)],
      env: { HOME: folder, CLAUDE_CONFIG_DIR: folder, XDG_STATE_HOME: folder },
      share: { maxTextLength: Number.POSITIVE_INFINITY },
      limits: { maxConnections: 6_000 },
    });
    return new IdewireListening(listener, host, options.folder === undefined ? folder : undefined);
  },

  async listenHttp({ toolCount, modern = false, progress = false, maxSessions = 32, redis }) {
    const store = redis && redisStore({ client: redis });
    const eras = modern ? "both" : "legacy";
    const server = new McpServer<undefined>({
      ...info,
      eras,
      ...(store !== undefined && { store }),
    });
    addTools(server, toolCount, progress);
    if (store !== undefined) return listenShared(server, store);
    const token = randomBytes(32).toString("base64url");
    const { url, close } = await listenMcp(server, { token, limits: { maxSessions } });
    const headers = { authorization: `Bearer ${token}` };
    return { url, headers, readyCount: 0, broadcast() {}, close };
  },

  async connect({ url, headers }) {
    const transport = await openTransport(url, headers);
    return new IdewireClient(await McpClient.connect(transport, { ...info, era: "legacy" }));
  },

  async connectHttp({ url, headers }, { modern = false }) {
    const era = modern ? "modern" : "legacy";
    const transport = createHttpTransport(url, { headers });
    return new IdewireClient(await McpClient.connect(transport, { ...info, era }));
  },

  async serveStdio({ toolCount }) {
    const server = new McpServer<undefined>(info);
    addTools(server, toolCount);
    server.connect(createStdioTransport(process.stdin, process.stdout));
  },

  async connectStdio(command, args) {
    const transport = spawnStdioTransport(command, args);
    return new IdewireClient(await McpClient.connect(transport, { ...info, era: "legacy" }));
  },
};

/** One of several instances, which share their sessions. */
async function listenShared(
  server: McpServer<undefined>,
  store: ReturnType<typeof redisStore>,
): Promise<Listening> {
  const listener = await listenMcp(server, { access: "anyone" });
  return {
    url: listener.url,
    headers: {},
    readyCount: 0,
    broadcast() {},
    async close() {
      await listener.close();
      store.close();
    },
  };
}

function benchDialect({ toolCount }: ServerOptions): Dialect {
  return {
    ...claudeCode,
    createTools: (host) => [...createOpenDiff(host as BenchHost), ...createTools(toolCount)],
  };
}

class IdewireListening implements Listening {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #listener: IdeListener;
  readonly #host: BenchHost;
  readonly #ownFolder: string | undefined;

  constructor(listener: IdeListener, host: BenchHost, ownFolder: string | undefined) {
    this.#listener = listener;
    this.#host = host;
    this.#ownFolder = ownFolder;
    const [endpoint] = listener.endpoints;
    if (endpoint?.lockFile === undefined) throw new Error("listenIde opened nothing");
    const lock = JSON.parse(readFileSync(endpoint.lockFile, "utf8")) as { authToken: string };
    this.url = endpoint.url;
    this.headers = { "x-claude-code-ide-authorization": lock.authToken };
  }

  get readyCount(): number {
    return [...this.#listener.sessions].filter((session) => session.ready).length;
  }

  broadcast(text: string): void {
    this.#host.announce(text);
  }

  async close(): Promise<void> {
    await this.#listener.close();
    if (this.#ownFolder !== undefined) rmSync(this.#ownFolder, { recursive: true, force: true });
  }
}

/** In Node the client can access the socket of its WebSocket, so that it also writes once per turn. */
function openTransport(url: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const webSocket = new WebSocket(url, { perMessageDeflate: false, headers });
    let socket: Socket;
    webSocket.once("upgrade", (response) => {
      socket = response.socket;
    });
    webSocket.once("error", reject);
    webSocket.once("open", () => {
      resolve(createNodeWebSocketTransport(webSocket, socket, new FrameCache()));
    });
  });
}

class IdewireClient implements Client {
  readonly #client: McpClient;

  constructor(client: McpClient) {
    this.#client = client;
  }

  echo(text: string): Promise<unknown> {
    return this.#client.callTool("echo", { text });
  }

  listTools(): Promise<unknown> {
    return this.#client.listTools();
  }

  openDiff(text: string): Promise<unknown> {
    return this.#client.callTool("openDiff", {
      old_file_path: "/w/a",
      new_file_contents: text,
      tab_name: "a",
    });
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#client.closed;
  }
}
