// A child of a worker: many clients that only read, so that the CPU time of the worker is only the server's. It
// exits with its parent.
import { once } from "node:events";
import type { WebSocket } from "ws";
import { openWebSocket } from "./channel.ts";
import { INITIALIZE, INITIALIZED } from "./frames.ts";
import type { ReaderCommand } from "./readers.ts";

process.once("disconnect", () => process.exit(0));
process.on("message", (command: ReaderCommand) => void obey(command));

let received = 0;
let expected = Number.POSITIVE_INFINITY;

async function obey(command: ReaderCommand): Promise<void> {
  if (command.do === "count") {
    received = 0;
    process.send?.("done");
  } else if (command.do === "await") {
    expected = command.total;
    emitWhenReached();
  } else {
    for (let index = 0; index < command.count; index += 1) await connect(command);
    process.send?.("done");
  }
}

async function connect(command: Extract<ReaderCommand, { do: "connect" }>): Promise<void> {
  const socket = await openWebSocket(command.listening);
  socket.on("error", () => socket.terminate());
  await initialize(socket);
  if (command.neverReads) socket.pause();
  socket.on("message", () => {
    received += 1;
    emitWhenReached();
  });
}

async function initialize(socket: WebSocket): Promise<void> {
  const answered = once(socket, "message");
  socket.send(INITIALIZE);
  await answered;
  socket.send(INITIALIZED);
}

function emitWhenReached(): void {
  if (received < expected) return;
  expected = Number.POSITIVE_INFINITY;
  process.send?.("done");
}
