import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import type { RunningServer } from "./start-everything.ts";

/** Starts a proxy that forwards each request to a random one of several endpoints. */
export async function startRandomProxy(urls: readonly string[]): Promise<RunningServer> {
  const server = createServer((incoming, answer) => {
    const url = urls[Math.floor(Math.random() * urls.length)];
    if (url === undefined) answer.destroy();
    else forward(url, incoming, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(url: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = incoming;
  // Unchanged headers: Host names the proxy, as in the client's address.
  const outgoing = request(url, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    answer.flushHeaders();
    pipeline(response, answer, () => undefined);
  });
  outgoing.on("error", () => answer.destroy());
  // A disconnect of the client is forwarded.
  answer.on("close", () => outgoing.destroy());
  pipeline(incoming, outgoing, () => undefined);
}
