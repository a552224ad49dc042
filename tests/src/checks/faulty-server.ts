import { once } from "node:events";
import { renameSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { claudeCode, createIdeServer, type IdeServer } from "@idewire/core";
import { createWebSocketTransport, type Transport } from "@idewire/core/rpc";
import { type WebSocket, WebSocketServer } from "ws";
import { openContext } from "../reference/context.ts";
import { Fixture } from "../reference-clients/fixture.ts";

const TOKEN = "t".repeat(86);

/** A fault's access to a connection, on which it can send anything. */
export interface FaultyEnd {
  /** Sends to the agent, bypassing the server and the fault. */
  send(frame: string): void;
  /** Sends to the server, bypassing the fault. */
  pass(frame: string): void;
  readonly socket: WebSocket;
  /** The connections of all agents. */
  readonly sockets: ReadonlySet<WebSocket>;
  /** The state of the fault, over all connections. */
  readonly memory: Map<string, unknown>;
}

/** A fault of a server; everything left out is correct. */
export interface Fault {
  /** In the lock file. */
  readonly lock?: (lock: Readonly<Record<string, unknown>>, fixture: Fixture) => object;
  /** Changes the lock file once it exists; returns its new path. */
  readonly place?: (path: string) => string;
  /** Rules for connecting that are not enforced. */
  readonly open?: readonly EndpointRule[];
  /** Of the paths `/` and `/mcp`, those that are served. */
  readonly paths?: readonly string[];
  readonly deafToPings?: true;
  /** Replaces the forwarding of an agent's frames. */
  readonly receive?: (frame: string, end: FaultyEnd) => void;
  /** Replaces the sending of the server's frames. */
  readonly emit?: (frame: string, end: FaultyEnd) => void;
  /** Called when a client was refused. */
  readonly onrefuse?: (memory: Map<string, unknown>) => void;
  readonly onopen?: (end: FaultyEnd) => void;
  readonly onclose?: (end: FaultyEnd, code: number) => void;
}

export type EndpointRule = "wrong-token" | "missing-token" | "protocol" | "origin" | "host";

/** Our own server behind a minimal endpoint, with at most one fault. */
export class FaultyServer {
  readonly lockFile: string;
  readonly #fixture: Fixture;
  readonly #http: Server;
  readonly #sockets: Set<WebSocket>;
  readonly #ide: IdeServer;

  private constructor(parts: {
    readonly lockFile: string;
    readonly fixture: Fixture;
    readonly http: Server;
    readonly sockets: Set<WebSocket>;
    readonly ide: IdeServer;
  }) {
    this.lockFile = parts.lockFile;
    this.#fixture = parts.fixture;
    this.#http = parts.http;
    this.#sockets = parts.sockets;
    this.#ide = parts.ide;
  }

  static async open(fault: Fault = {}): Promise<FaultyServer> {
    const fixture = new Fixture();
    const ide = createIdeServer({ host: openContext(), dialect: claudeCode });
    const sockets = new Set<WebSocket>();
    const memory = new Map<string, unknown>();
    const http = createServer();
    const endpoint = createEndpoint(fault);
    http.on("upgrade", (request, socket, head) => {
      const status = refusalOf(request, fault);
      if (status !== undefined) {
        fault.onrefuse?.(memory);
        return refuse(socket, status);
      }
      endpoint.handleUpgrade(request, socket, head, (webSocket) => {
        sockets.add(webSocket);
        webSocket.on("close", () => sockets.delete(webSocket));
        ide.open(spoil(webSocket, { sockets, memory, fault }));
      });
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    const written = fixture.lock(port, fault.lock?.(lockOf(fixture), fixture) ?? lockOf(fixture));
    const lockFile = fault.place?.(written) ?? written;
    return new FaultyServer({ lockFile, fixture, http, sockets, ide });
  }

  close(): Promise<void> {
    this.#ide.close();
    for (const socket of this.#sockets) socket.terminate();
    this.#http.close();
    return this.#fixture.close();
  }
}

function createEndpoint({ deafToPings, open = [] }: Fault): WebSocketServer {
  // The types of ws lack autoPong, so the options are not a fresh literal.
  const options = {
    noServer: true,
    autoPong: deafToPings !== true,
    maxPayload: 1 << 24,
    handleProtocols: (offered: Set<string>) => {
      return open.includes("protocol") ? ([...offered][0] ?? false) : "mcp";
    },
  };
  return new WebSocketServer(options);
}

function lockOf({ workspace }: Fixture) {
  return {
    workspaceFolders: [workspace],
    pid: process.pid,
    ideName: "Faulty",
    transport: "ws",
    runningInWindows: false,
    authToken: TOKEN,
  };
}

/** The status for refused clients. */
function refusalOf(
  { headers, url = "" }: IncomingMessage,
  { open = [], paths = ["/", "/mcp"] }: Fault,
): number | undefined {
  const token = headers["x-claude-code-ide-authorization"];
  const isLocal = /^127\.0\.0\.1(:|$)/.test(headers.host ?? "");
  if (!isLocal && !open.includes("host")) return 403;
  if (headers.origin !== undefined && !open.includes("origin")) return 403;
  if (!paths.includes(url)) return 404;
  if (headers["sec-websocket-protocol"] !== "mcp" && !open.includes("protocol")) return 400;
  if (token === TOKEN) return undefined;
  return open.includes(token === undefined ? "missing-token" : "wrong-token") ? undefined : 401;
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The transport with the fault in between. */
function spoil(
  socket: WebSocket,
  shared: Pick<FaultyEnd, "sockets" | "memory"> & { readonly fault: Fault },
): Transport {
  const { fault, ...rest } = shared;
  const inner = createWebSocketTransport(socket);
  const outer: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    get bufferedAmount() {
      return inner.bufferedAmount;
    },
    send: (frame) => (fault.emit ? fault.emit(frame, end) : end.send(frame)),
    close: (code, reason) => inner.close(code, reason),
  };
  const end: FaultyEnd = {
    ...rest,
    socket,
    send: (frame) => inner.send(frame),
    pass: (frame) => outer.onframe?.(frame),
  };
  inner.onframe = (frame) => (fault.receive ? fault.receive(frame, end) : end.pass(frame));
  inner.onclose = (reason) => {
    fault.onclose?.(end, reason.code);
    outer.onclose?.(reason);
  };
  fault.onopen?.(end);
  return outer;
}

/** Renames a lock file. */
export function renameTo(name: string) {
  return (path: string): string => {
    const renamed = path.replace(/[^/]*$/, name);
    renameSync(path, renamed);
    return renamed;
  };
}
