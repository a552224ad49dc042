import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { dist, type Site, sendFile } from "./site.ts";

/** The kinds of server behind a page. */
export const kinds = ["folder", "inspect"] as const;

interface UnauthenticatedOptions {
  readonly kind?: (typeof kinds)[number];
  /** The page's clock is stopped. */
  readonly stopped?: boolean;
}

/** Serves the page of a folder or an inspection, with `serve` as its server. */
export async function openUnauthenticated(
  site: Site,
  serve: (socket: WebSocket) => void,
  { kind = "folder", stopped = false }: UnauthenticatedOptions = {},
): Promise<Page> {
  const server: Server = createServer((request, response) => {
    if (request.url !== "/") return sendFile(request, response);
    const html = readFileSync(join(dist, "index.html"), "utf8");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(html.replace("<html ", `<html data-live="${kind}" `));
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => "idewire.v1" });
  sockets.on("connection", serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return site.page({ url: `http://127.0.0.1:${port}/#t=ticket`, stopped });
}

/** Answers as the bridge does: the folder, an empty log, and the end of the log. */
export function admitPage(socket: WebSocket, request: string): void {
  const { id } = JSON.parse(request) as { readonly id: number };
  const send = (message: object): void =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  send({ id, result: { key: "k", folder: "/home/me/vault" } });
  send({ method: "live/joined", params: { rowsBefore: 0 } });
}
