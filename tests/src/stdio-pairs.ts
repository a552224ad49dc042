import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { TransportPair } from "@idewire/core/testing";
import { createStdioTransport, spawnStdioTransport } from "@idewire/node-server";

/** Two streams in one process, each end writing what the other reads. */
export function streamPair(): TransportPair {
  const [toRight, toLeft] = [new PassThrough(), new PassThrough()];
  return {
    left: createStdioTransport(toLeft, toRight),
    right: createStdioTransport(toRight, toLeft),
    pauseRight: (paused) => (paused ? toRight.pause() : toRight.resume()),
  };
}

/** Passes bytes from its stdin to a socket, and from the socket to its stdout. */
const RELAY = `
const socket = require("node:net").connect({ port: +process.argv[1], host: "127.0.0.1", allowHalfOpen: true });
process.stdin.pipe(socket).pipe(process.stdout);
// A pipe into stdout does not end it.
socket.on("end", () => require("node:fs").closeSync(1));
`;

/** A child process at the left, and at the right whoever it speaks to by its stdin and stdout. */
export async function childPair(): Promise<TransportPair> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const left = spawnStdioTransport(process.execPath, ["-e", RELAY, String(port)]);
  const [socket] = (await once(server, "connection")) as [Socket];
  server.close();
  return {
    left,
    right: createStdioTransport(socket, socket),
    pauseRight: (paused) => (paused ? socket.pause() : socket.resume()),
  };
}
