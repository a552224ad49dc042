import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listening } from "./implementation.ts";

/**
 * `node:http` on a free port of 127.0.0.1.
 * @param before awaited by each request
 */
export async function listenOn(
  listener: RequestListener,
  headers: Listening["headers"] = {},
  before?: () => Promise<unknown>,
): Promise<Listening> {
  const late: RequestListener = (...all) => void before?.().then(() => listener(...all));
  const server = createServer(before === undefined ? listener : late).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers,
    readyCount: 0,
    broadcast() {},
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reads the whole body of a request or answer. */
export function readBody(message: IncomingMessage, take: (body: string) => void): void {
  let body = "";
  message.setEncoding("utf8").on("data", (part: string) => {
    body += part;
  });
  message.on("end", () => take(body));
}
