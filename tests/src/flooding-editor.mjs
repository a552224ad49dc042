// A worker thread with an editor that completes the handshake of an agent, then, from the first tool call on, repeats
// one text as fast as it is read. From then on it may stop reading the agent's messages.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { WebSocketServer } from "ws";
import { answers } from "./flooding-answers.mjs";

const { text, times, reads } = workerData;

function flood(webSocket, socket) {
  parentPort.postMessage("called");
  if (!reads) webSocket.pause();
  let left = times;
  const more = () => {
    while (left > 0 && webSocket.readyState === webSocket.OPEN) {
      left -= 1;
      webSocket.send(text);
      if (socket.writableNeedDrain) return;
    }
  };
  socket.on("drain", more);
  more();
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (webSocket, { socket }) => {
  webSocket.on("error", () => {});
  webSocket.on("message", (data) => {
    const { id, method } = JSON.parse(data);
    if (method === "tools/call") flood(webSocket, socket);
    else if (id !== undefined && method !== undefined) {
      webSocket.send(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? {} }));
    }
  });
});
await once(server, "listening");
parentPort.postMessage(server.address().port);
