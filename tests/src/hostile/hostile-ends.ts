import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import {
  createMemoryTransportPair,
  createMessagePortTransport,
  createWebSocketTransport,
  type Transport,
} from "@idewire/core/rpc";
import { createNodeWebSocketTransport } from "@idewire/node-server";
import { FrameCache } from "@idewire/node-server/internal";
import { createStdioTransport, spawnStdioTransport } from "@idewire/node-server/stdio";
import type { WebSocket } from "ws";
import { listenForRelay, streamEnds } from "../stdio-pairs.ts";
import { openSocketPair, startRelay } from "../transport-pairs.ts";

/** The other end of one of our transports, which violates the protocol. */
export interface HostileEnd {
  readonly server: Transport;
  /** The frames received; none after `stopReading`. */
  readonly received: readonly string[];
  type(frame: string): void;
  stopReading?(): void;
  /** Sends a frame of these bytes, on transports with byte frames. */
  typeBytes?(bytes: Buffer): void;
  /** Starts a frame that never ends; settles when that was sent. */
  typeHalf?(): Promise<void>;
  /** Ends the connection without a close frame. */
  cut(): void;
  dispose?(): unknown;
}

export type MediumName =
  | "memory"
  | "MessageChannel"
  | "Worker"
  | "WebSocket"
  | "WebSocket of node-server"
  | "stdio streams"
  | "stdio of a child process";

/** The values of node-server's endpoint. */
const limits = { maxPayload: 1 << 24, closeTimeout: 1_000 };

function memory(): HostileEnd {
  const [server, hostile] = createMemoryTransportPair();
  const received: string[] = [];
  hostile.onframe = (frame) => received.push(frame);
  return {
    server,
    received,
    type: (frame) => hostile.send(frame),
    stopReading: () => hostile.pauseReading(true),
    cut: () => hostile.close(1006),
  };
}

/** Reads and acknowledges, as the transports of ports do. */
function portEnd(port: MessagePort) {
  const received: string[] = [];
  let reads = true;
  port.on("message", (data: unknown) => {
    if (typeof data !== "string" || !reads) return;
    received.push(data);
    port.postMessage({ taken: data.length });
  });
  return {
    received,
    type: (frame: string) => port.postMessage(frame),
    stopReading: () => {
      reads = false;
    },
  };
}

function messageChannel(): HostileEnd {
  const { port1, port2 } = new MessageChannel();
  return {
    server: createMessagePortTransport(port1),
    ...portEnd(port2),
    cut: () => port2.close(),
  };
}

async function worker(): Promise<HostileEnd> {
  const { near, far, worker } = await startRelay();
  const { received, type } = portEnd(far);
  const cut = () => void worker.terminate();
  return { server: createMessagePortTransport(near), received, type, cut, dispose: cut };
}

function webSocketEnd(client: WebSocket) {
  const received: string[] = [];
  client.on("message", (data) => received.push(data.toString()));
  client.on("error", () => {});
  const socket = (client as unknown as { _socket: Socket })._socket;
  return {
    received,
    type: (frame: string) => client.send(frame),
    stopReading: () => client.pause(),
    typeBytes: (bytes: Buffer) => client.send(bytes, { binary: false }),
    // FIN and text; masked, 100 bytes; the mask, and three of the bytes.
    typeHalf: () => written(socket, Buffer.from([0x81, 0x80 | 100, 0, 0, 0, 0, 1, 2, 3])),
    cut: () => client.terminate(),
    dispose: () => client.terminate(),
  };
}

async function webSocket(): Promise<HostileEnd> {
  const { accepted, client } = await openSocketPair(limits);
  return { server: createWebSocketTransport(accepted), ...webSocketEnd(client) };
}

async function nodeWebSocket(): Promise<HostileEnd> {
  const { accepted, client, socket } = await openSocketPair(limits);
  const server = createNodeWebSocketTransport(accepted, socket, new FrameCache());
  return { server, ...webSocketEnd(client) };
}

function lineEnd(input: Readable, output: Writable) {
  const received: string[] = [];
  let unfinished = "";
  const read = (chunk: Buffer) => {
    const lines = (unfinished + chunk.toString()).split("\n");
    unfinished = lines.pop() ?? "";
    received.push(...lines);
  };
  input.on("data", read);
  for (const stream of [input, output]) stream.on("error", () => {});
  return {
    received,
    type: (frame: string) => void output.write(`${frame}\n`),
    stopReading: () => void input.off("data", read).pause(),
    typeBytes: (bytes: Buffer) => void output.write(Buffer.concat([bytes, Buffer.from("\n")])),
    typeHalf: () => written(output, '{"jsonrpc":'),
    cut: () => {
      input.destroy();
      output.destroy();
    },
  };
}

function written(stream: Writable, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve) => stream.write(chunk, () => resolve()));
}

function streams(): HostileEnd {
  const { left, right } = streamEnds();
  const server = createStdioTransport(left.input, left.output);
  return { server, ...lineEnd(right.input, right.output) };
}

async function child(): Promise<HostileEnd> {
  const { command, args, accepted } = await listenForRelay();
  const server = spawnStdioTransport(command, args);
  const socket = await accepted;
  return { server, ...lineEnd(socket, socket) };
}

/** All our transports, each with a hostile other end. */
export const hostileEnds: Readonly<Record<MediumName, () => HostileEnd | Promise<HostileEnd>>> = {
  memory,
  MessageChannel: messageChannel,
  Worker: worker,
  WebSocket: webSocket,
  "WebSocket of node-server": nodeWebSocket,
  "stdio streams": streams,
  "stdio of a child process": child,
};
