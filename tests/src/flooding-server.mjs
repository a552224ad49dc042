// A thread with a server that answers `tools/call` by one text, again and again, as fast as it is read, without
// end or a number of times. Its own thread, as a client that is tested for turns of its event loop must not share them.
import { createServer } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { text, type, times } = workerData;
const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    serverInfo: { name: "flood", version: "1" },
  },
  "tools/list": { tools: [{ name: "a", inputSchema: { type: "object" } }] },
};

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.method !== "POST") return response.writeHead(405).end();
  const { id, method } = JSON.parse(body);
  if (id === undefined || method === undefined) return response.writeHead(202).end();
  if (method === "tools/call") {
    parentPort.postMessage("called");
    response.writeHead(200, { "content-type": type });
    let left = times;
    const more = () => {
      while (!response.destroyed && left > 0) {
        left -= 1;
        if (!response.write(text)) return;
      }
      response.end();
    };
    response.on("drain", more);
    return more();
  }
  response.writeHead(200, { "content-type": "application/json" });
  return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
