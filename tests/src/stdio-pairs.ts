import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { TransportPair } from "@idewire/core/testing";
import { type FramingKind, openStream } from "@idewire/node-server/internal";
import { createStdioTransport, spawnStdioTransport } from "@idewire/node-server/stdio";

/** Two streams in one process: each end writes to the other's input. */
export function streamEnds() {
  const [toRight, toLeft] = [new PassThrough(), new PassThrough()];
  return {
    left: { input: toLeft, output: toRight },
    right: { input: toRight, output: toLeft },
  };
}

/** A transport at each end of two streams. */
export function streamPair(): TransportPair {
  const { left, right } = streamEnds();
  return {
    left: createStdioTransport(left.input, left.output),
    right: createStdioTransport(right.input, right.output),
    pauseRight: (paused) => (paused ? right.input.pause() : right.input.resume()),
  };
}

/** The same, with length-prefixed frames. */
export function framedPair(framing: FramingKind): TransportPair {
  const { left, right } = streamEnds();
  return {
    left: openStream(left, { framing }),
    right: openStream(right, { framing }),
    pauseRight: (paused) => (paused ? right.input.pause() : right.input.resume()),
  };
}

/** Forwards bytes from its stdin to a socket, and from the socket to its stdout. */
const RELAY = `
const socket = require("node:net").connect({ port: +process.argv[1], host: "127.0.0.1", allowHalfOpen: true });
socket.on("error", () => process.exit());
process.stdin.pipe(socket).pipe(process.stdout);
// A pipe into stdout does not end it.
socket.on("end", () => require("node:fs").closeSync(1));
`;

/** The command of a child process, and the socket to which it forwards its stdin and stdout. */
export async function listenForRelay() {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection").then(([socket]) => {
    server.close();
    return socket as Socket;
  });
  return { command: process.execPath, args: ["-e", RELAY, String(port)], accepted };
}

/** A child process on the left; on the right the other end of its stdin and stdout. */
export async function childPair(): Promise<TransportPair> {
  const { command, args, accepted } = await listenForRelay();
  const left = spawnStdioTransport(command, args);
  const socket = await accepted;
  return {
    left,
    right: createStdioTransport(socket, socket),
    pauseRight: (paused) => (paused ? socket.pause() : socket.resume()),
  };
}
