import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import type { FromNode, FromPage, WireAddress, WireRequest } from "../wire.ts";
import { toWireError } from "./calls.ts";

interface Port {
  readonly send: (message: FromNode) => void;
  readonly sendBytes: (bytes: Buffer) => void;
}

/** The real servers and sockets of a page; bytes pass to the page and back unchanged. */
export class NetBridge {
  readonly #port: Port;
  readonly #servers = new Map<number, Server | NetServer>();
  readonly #sockets = new Map<number, Socket>();
  readonly #numbers = new WeakMap<Socket, number>();
  readonly #exchanges = new Map<number, ServerResponse>();
  #lastNumber = 0;
  /** Where the page listened, and what it connected to. */
  readonly listened: string[] = [];
  readonly connected: string[] = [];

  constructor(port: Port) {
    this.#port = port;
  }

  get counts(): { readonly servers: number; readonly sockets: number } {
    return { servers: this.#servers.size, sockets: this.#sockets.size };
  }

  close(): void {
    for (const server of this.#servers.values()) server.close();
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  receiveBytes(frame: Buffer): void {
    const id = frame.readUInt32BE(0);
    const socket = this.#sockets.get(id);
    if (socket?.writable !== true) this.#port.send({ t: "wrote", id });
    else socket.write(frame.subarray(4), () => this.#port.send({ t: "wrote", id }));
  }

  receive(message: FromPage): void {
    switch (message.t) {
      case "listen":
        this.#listen(message);
        return;
      case "server-close":
        this.#servers.get(message.id)?.close();
        return;
      case "close-all": {
        const server = this.#servers.get(message.id);
        if (server !== undefined && "closeAllConnections" in server) server.closeAllConnections();
        return;
      }
      case "connect":
        this.#connect(message);
        return;
      case "pause":
      case "resume":
      case "end":
      case "destroy":
        this.#sockets.get(message.id)?.[message.t]();
        return;
      default:
        this.#receiveHttp(message);
    }
  }

  #receiveHttp(message: FromPage): void {
    if (!("id" in message)) return;
    const response = this.#exchanges.get(message.id);
    if (response === undefined) return;
    const { id } = message;
    if (message.t === "wanted") response.req.resume();
    else if (message.t === "head") {
      response.writeHead(message.status, message.headers);
      response.flushHeaders();
    } else if (message.t === "body") {
      const acked = () => this.#port.send({ t: "acked", id, ack: message.ack });
      response.write(Buffer.from(message.bytes, "base64"), acked);
    } else if (message.t === "body-end") response.end();
  }

  #listen(message: FromPage & { t: "listen" }): void {
    const { id, kind, where, options, takesUpgrades } = message;
    const server = kind === "http" ? createServer(options) : createNetServer(options);
    this.#servers.set(id, server);
    server.on("error", (error) => {
      this.#port.send({ t: "server-error", id, error: toWireError(error) });
    });
    server.on("close", () => {
      this.#servers.delete(id);
      this.#port.send({ t: "server-closed", id });
    });
    server.on("connection", (socket: Socket) => {
      const number = this.#adopt(socket, kind === "net");
      this.#port.send({ t: "connection", id, socket: number, remote: remoteOf(socket) });
    });
    if (kind === "http") this.#listenHttp(id, server as Server);
    if (takesUpgrades) this.#listenUpgrades(id, server as Server);
    server.listen(where, () => {
      const address = addressOf(server.address());
      this.listened.push(address.address);
      this.#port.send({ t: "listening", id, address });
    });
  }

  #listenHttp(id: number, server: Server): void {
    server.on("request", (request, response) => {
      this.#lastNumber += 2;
      const exchange = this.#lastNumber;
      this.#exchanges.set(exchange, response);
      this.#announce("request", id, { request, exchange, head: Buffer.alloc(0) });
      request.pause();
      request.on("data", (bytes: Buffer) => {
        this.#port.send({ t: "body", id: exchange, bytes: bytes.toString("base64") });
      });
      request.on("end", () => this.#port.send({ t: "body-end", id: exchange }));
      response.on("close", () => {
        this.#exchanges.delete(exchange);
        this.#port.send({ t: "gone", id: exchange });
      });
    });
  }

  #listenUpgrades(id: number, server: Server): void {
    server.on("upgrade", (request, socket: Socket, head) => {
      this.#announce("upgrade", id, { request, exchange: 0, head });
      this.#forward(socket, this.#numbers.get(socket) ?? 0);
    });
  }

  #announce(
    t: "request" | "upgrade",
    id: number,
    what: { request: IncomingMessage; exchange: number; head: Buffer },
  ): void {
    const { method = "GET", url = "/", headers, rawHeaders, httpVersion } = what.request;
    const request: WireRequest = { method, url, headers, rawHeaders, httpVersion };
    const socket = this.#numbers.get(what.request.socket) ?? 0;
    const head = what.head.toString("base64");
    this.#port.send({ t, id, socket, request, exchange: what.exchange, head });
  }

  #connect({ id, where }: FromPage & { t: "connect" }): void {
    this.connected.push("path" in where ? where.path : (where.host ?? ""));
    const socket = connect(where);
    this.#adopt(socket, true, id);
    socket.once("connect", () => this.#port.send({ t: "connected", id, remote: remoteOf(socket) }));
  }

  /** @param raw whether the page receives all bytes; otherwise Node parses them until an upgrade */
  #adopt(socket: Socket, raw: boolean, given?: number): number {
    if (given === undefined) this.#lastNumber += 2;
    const id = given ?? this.#lastNumber;
    this.#sockets.set(id, socket);
    this.#numbers.set(socket, id);
    socket.on("error", (error) => this.#port.send({ t: "failed", id, error: toWireError(error) }));
    socket.on("close", (hadError) => {
      this.#sockets.delete(id);
      this.#port.send({ t: "closed", id, hadError });
    });
    if (raw) this.#forward(socket, id);
    return id;
  }

  #forward(socket: Socket, id: number): void {
    socket.on("data", (bytes: Buffer) => {
      const frame = Buffer.alloc(4 + bytes.length);
      frame.writeUInt32BE(id, 0);
      bytes.copy(frame, 4);
      this.#port.sendBytes(frame);
    });
    socket.on("end", () => this.#port.send({ t: "ended", id }));
  }
}

/** The address of a socket of the file system is its path. */
function addressOf(address: AddressInfo | string | null): WireAddress {
  if (address === null || typeof address === "string") {
    return { address: address ?? "", port: 0, family: "Unix" };
  }
  return { address: address.address, port: address.port, family: address.family };
}

function remoteOf(socket: Socket): WireAddress {
  const { remoteAddress = "", remotePort = 0, remoteFamily = "IPv4" } = socket;
  return { address: remoteAddress, port: remotePort, family: remoteFamily };
}
