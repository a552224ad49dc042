import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  type CloseReason,
  createMessagePortTransport,
  createWebSocketTransport,
  type Transport,
} from "@idewire/core/rpc";
import type { TransportPair } from "@idewire/core/testing";
import { createNodeWebSocketTransport } from "@idewire/node-server";
import { FrameCache } from "@idewire/node-server/internal";
import { buildSync } from "esbuild";
import { WebSocket, WebSocketServer } from "ws";

/** Both ends of a MessageChannel in one thread. */
export function messageChannelPair(): TransportPair {
  const { port1, port2 } = new MessageChannel();
  return {
    left: createMessagePortTransport(port1),
    right: createMessagePortTransport(port2),
  };
}

/** A worker that forwards messages between its own port and another. */
let relay: string | undefined;

function relayCode(): string {
  relay ??= buildSync({
    entryPoints: [fileURLToPath(new URL("./relay-worker.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    conditions: ["@idewire/source"],
  }).outputFiles[0]?.text;
  return relay ?? "";
}

/** A worker between two ports of this thread. */
export async function startRelay() {
  const [near, far] = [new MessageChannel(), new MessageChannel()];
  const worker = new Worker(relayCode(), {
    eval: true,
    workerData: { near: near.port2, far: far.port2 },
    transferList: [near.port2, far.port2],
  });
  await once(worker, "online");
  return { near: near.port1, far: far.port1, worker };
}

/** Both ends in this thread, with a worker between them: each end communicates with another thread. */
export async function workerPair(): Promise<TransportPair> {
  const { near, far, worker } = await startRelay();
  return {
    left: createMessagePortTransport(near),
    right: createMessagePortTransport(far),
    dispose: async () => {
      await worker.terminate();
    },
  };
}

/** Two open sockets over loopback. Closing them frees the port. */
export async function openSocketPair(
  options: { readonly maxPayload?: number; readonly closeTimeout?: number } = {},
) {
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    perMessageDeflate: false,
    ...options,
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  const [[accepted, request]] = (await Promise.all([
    once(server, "connection"),
    once(client, "open"),
  ])) as [[WebSocket, IncomingMessage], unknown];
  server.close();
  return { accepted, client, socket: request.socket };
}

/** A WebSocket over loopback, with core's transport for any open socket at both ends. */
export async function webSocketPair(): Promise<TransportPair> {
  const { accepted, client } = await openSocketPair();
  return {
    left: createWebSocketTransport(accepted),
    right: createWebSocketTransport(client),
    pauseRight: (paused) => (paused ? client.pause() : client.resume()),
  };
}

/** The same, with node-server's own transport at the accepting end. */
export async function serverWebSocketPair(): Promise<TransportPair> {
  const { accepted, client, socket } = await openSocketPair();
  return {
    left: createNodeWebSocketTransport(accepted, socket, new FrameCache()),
    right: createWebSocketTransport(client),
    pauseRight: (paused) => (paused ? client.pause() : client.resume()),
  };
}

/** Why a transport closes. */
export function closing(transport: Transport): Promise<CloseReason> {
  return new Promise((resolve) => {
    transport.onclose = resolve;
  });
}
