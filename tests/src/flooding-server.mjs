// A worker thread with a server that answers a method (`tools/call` by default), `subscriptions/listen` and optionally
// GET with one text, repeated as fast as it is read, endlessly or a number of times, compressed or not. It is a thread
// of its own because the tests measure event-loop turns of the client, which must not include the server's.
import { createServer } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { createBrotliCompress, createDeflate, createGzip } from "node:zlib";
import { answers } from "./flooding-answers.mjs";

const { text, type, times, encoding, listens, method: flooded = "tools/call" } = workerData;
const compressors = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress };

function flood(response) {
  parentPort.postMessage("called");
  response.writeHead(200, {
    "content-type": type,
    ...(encoding !== undefined && { "content-encoding": encoding }),
  });
  const output = compressors[encoding]?.() ?? response;
  if (output !== response) output.pipe(response);
  let left = times;
  const more = () => {
    while (!response.destroyed && left > 0) {
      left -= 1;
      if (!output.write(text)) return;
    }
    output.end();
  };
  output.on("drain", more);
  more();
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.method === "GET" && listens) return flood(response);
  if (request.method !== "POST") return response.writeHead(405).end();
  const { id, method } = JSON.parse(body);
  if (id === undefined || method === undefined) return response.writeHead(202).end();
  if (method === flooded || method === "subscriptions/listen") return flood(response);
  response.writeHead(200, { "content-type": "application/json" });
  return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? {} }));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
