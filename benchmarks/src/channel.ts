import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Readable, Writable } from "node:stream";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { WebSocket, WebSocketServer } from "ws";
import type { Listening } from "./implementation.ts";

/** A minimal bidirectional text channel, used by the floor and the official SDKs. */
export interface Channel {
  onframe: ((frame: string) => void) | undefined;
  send(frame: string): void;
  /** Resolves when it is closed, if that can be detected. */
  close(): Promise<void> | void;
}

/** Core's memory transports without a Peer. */
export function createMemoryChannels(): [Channel, Channel] {
  return createMemoryTransportPair();
}

class WebSocketChannel implements Channel {
  onframe: ((frame: string) => void) | undefined;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.onframe?.(data.toString()));
    socket.on("error", () => socket.terminate());
  }

  send(frame: string): void {
    this.#socket.send(frame);
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

/** Lines over two streams, with one write per line. */
export class LineChannel implements Channel {
  onframe: ((frame: string) => void) | undefined;
  readonly #output: Writable;
  readonly #ended: Promise<unknown>;
  #unfinished = "";

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    this.#ended = once(input, "close");
    input.setEncoding("utf8");
    input.on("data", (text: string) => {
      const lines = (this.#unfinished + text).split("\n");
      this.#unfinished = lines.pop() ?? "";
      for (const line of lines) this.onframe?.(line);
    });
  }

  send(frame: string): void {
    this.#output.write(`${frame}\n`);
  }

  async close(): Promise<void> {
    this.#output.end();
    await this.#ended;
  }
}

/** The same with a child process. */
export function spawnChannel(command: string, args: readonly string[]): Channel {
  const { stdout, stdin } = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
  return new LineChannel(stdout, stdin);
}

/** Opens a client's raw `ws`, deflate off. */
export async function openWebSocket(
  { url, headers }: Pick<Listening, "url" | "headers">,
  protocols: readonly string[] = [],
): Promise<WebSocket> {
  const socket = new WebSocket(url, [...protocols], { perMessageDeflate: false, headers });
  await once(socket, "open");
  return socket;
}

export async function openChannel(listening: Pick<Listening, "url" | "headers">): Promise<Channel> {
  return new WebSocketChannel(await openWebSocket(listening));
}

/** Raw `ws` on a free port of 127.0.0.1. */
export class ChannelServer {
  readonly sockets = new Set<WebSocket>();
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, serve: (channel: Channel) => void) {
    this.#server = server;
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
      serve(new WebSocketChannel(socket));
    });
  }

  static async listen(serve: (channel: Channel) => void): Promise<ChannelServer> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
    const opened = new ChannelServer(server, serve);
    await once(server, "listening");
    return opened;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
