import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";
import type { Boot, Call, FromNode, FromPage } from "../wire.ts";
import type { Calls } from "./calls.ts";
import { NetBridge } from "./net-bridge.ts";

export interface PageServerOptions {
  readonly boot: Boot;
  readonly calls: Calls;
  /** The folder in which the page's script and style are. */
  readonly built: string;
}

/** Serves one page of the host on loopback and runs its Node side. Whoever opens it closes it. */
export interface PageServer {
  readonly url: string;
  readonly net: NetBridge;
  /** Notifies the page of changed paths in its vault. */
  emitChanges(paths: readonly string[]): void;
  close(): Promise<void>;
}

export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  let control: WebSocket | undefined;
  let gathered: FromNode[] = [];
  const flush = () => {
    if (gathered.length > 0) control?.send(JSON.stringify(gathered));
    gathered = [];
  };
  // Messages of one turn leave in one frame.
  const send = (message: FromNode) => {
    if (gathered.push(message) === 1) setImmediate(flush);
  };
  const sendBytes = (bytes: Buffer) => {
    flush();
    control?.send(bytes);
  };
  const net = new NetBridge({ send, sendBytes });
  const http = createServer((request, response) => {
    serve(options, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const sockets = new WebSocketServer({ server: http, path: "/control" });
  sockets.on("connection", (socket) => {
    control = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) net.receiveBytes(data);
      else for (const message of JSON.parse(data.toString()) as FromPage[]) receive(message);
    });
    socket.on("close", () => net.close());
  });
  function receive(message: FromPage): void {
    if (message.t !== "call") {
      net.receive(message);
      return;
    }
    const { id } = message;
    void options.calls.answer(message.call).then((answer) => send({ t: "answer", id, answer }));
  }
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    net,
    emitChanges: (paths) => send({ t: "vault", paths }),
    async close() {
      net.close();
      sockets.close();
      control?.terminate();
      await options.calls.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

const types: Readonly<Record<string, string>> = {
  "/page.js": "text/javascript; charset=utf-8",
  "/page.js.map": "application/json",
  "/page.css": "text/css; charset=utf-8",
};

async function serve(
  { boot, calls, built }: PageServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = "/" } = request;
  const type = types[url];
  if (request.method === "POST" && url === "/call") {
    const call = JSON.parse(await text(request)) as Call;
    const answer = await calls.answer(call);
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  } else if (type !== undefined) {
    response.setHeader("content-type", type).end(readFileSync(`${built}${url}`));
  } else if (url === "/") {
    response.setHeader("content-type", "text/html; charset=utf-8").end(pageOf(boot));
  } else {
    response.writeHead(404).end();
  }
}

function pageOf(boot: Boot): string {
  const facts = JSON.stringify(boot).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${boot.vaultName}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>
<body class="${boot.theme === "light" ? "theme-light" : "theme-dark"} mod-linux is-frameless">
<script>window.hostBoot = ${facts};</script><script src="/page.js"></script></body></html>
`;
}
