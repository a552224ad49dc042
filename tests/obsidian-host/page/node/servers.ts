import { EventEmitter } from "events";
import type { FromNode, WireAddress } from "../../wire.ts";
import { channel } from "../bridge/channel.ts";
import { decodeBytes, toError } from "../bridge/encode.ts";
import { IncomingMessage, ServerResponse } from "./http-messages.ts";
import { placeOf, Socket } from "./sockets.ts";

type Options = Readonly<Record<string, unknown>>;

/** Servers that listen now. */
export const openServers = new Set<Server>();

/** A Node server, `http` or `net`: parsed on the Node side, answered here. */
export class Server extends EventEmitter {
  readonly #kind: "http" | "net";
  readonly #options: Options;
  readonly #id = channel.nextId();
  readonly #sockets = new Map<number, Socket>();
  readonly #exchanges = new Map<number, { request: IncomingMessage; response: ServerResponse }>();
  #address: WireAddress | null = null;
  #isRequested = false;
  listening = false;

  constructor(kind: "http" | "net", options: Options = {}, listener?: () => void) {
    super();
    this.#kind = kind;
    this.#options = options;
    if (listener !== undefined) this.on(kind === "http" ? "request" : "connection", listener);
  }

  listen(...args: unknown[]): this {
    const [first, second] = args;
    const given = typeof first === "object" && first !== null ? (first as Options) : undefined;
    const host = typeof second === "string" ? second : undefined;
    const where = placeOf(
      given ?? (typeof first === "string" ? { path: first } : { port: first, host }),
    );
    const ready = args.find((arg): arg is () => void => typeof arg === "function");
    if (ready !== undefined) this.once("listening", ready);
    this.#isRequested = true;
    channel.attach(this.#id, (message) => this.#receive(message));
    const takesUpgrades = this.listenerCount("upgrade") > 0;
    // The class of requests cannot be sent: requests are created on this side.
    const { IncomingMessage: _, ...options } = this.#options;
    const what = { kind: this.#kind, options, takesUpgrades };
    channel.send({ t: "listen", id: this.#id, ...what, where });
    openServers.add(this);
    return this;
  }

  address(): WireAddress | null {
    return this.#address;
  }

  close(done?: (error?: Error) => void): this {
    if (!this.#isRequested) {
      const error = Object.assign(new Error("Server is not running."), {
        code: "ERR_SERVER_NOT_RUNNING",
      });
      queueMicrotask(() => done?.(error));
      return this;
    }
    if (done !== undefined) this.once("close", done);
    this.#isRequested = false;
    this.listening = false;
    channel.send({ t: "server-close", id: this.#id });
    return this;
  }

  closeAllConnections(): void {
    channel.send({ t: "close-all", id: this.#id });
  }

  closeIdleConnections(): void {}

  unref(): this {
    return this;
  }

  #receive(message: FromNode): void {
    switch (message.t) {
      case "listening":
        this.#address = message.address;
        this.listening = true;
        this.emit("listening");
        return;
      case "server-error":
        openServers.delete(this);
        this.emit("error", toError(message.error));
        return;
      case "server-closed":
        openServers.delete(this);
        channel.detach(this.#id);
        this.emit("close");
        return;
      case "connection":
        this.#open(message.socket, message.remote);
        return;
      case "request":
      case "upgrade":
        this.#serve(message);
    }
  }

  #open(id: number, remote: WireAddress): void {
    const socket = new Socket(id, remote, this.#kind === "http");
    this.#sockets.set(id, socket);
    socket.once("close", () => this.#sockets.delete(id));
    // Until an upgrade, Node's own server handles errors: it has already answered what its parser refuses.
    if (this.#kind === "http") socket.on("error", ignore);
    this.emit("connection", socket);
  }

  #serve(message: FromNode & { t: "request" | "upgrade" }): void {
    const socket = this.#sockets.get(message.socket);
    if (socket === undefined) return;
    const Message = (this.#options["IncomingMessage"] ?? IncomingMessage) as typeof IncomingMessage;
    const request = new Message(message.request, socket, message.exchange);
    // As in Node, a custom message class may mark any request as an upgrade.
    const isUpgrade = "upgrade" in request && request.upgrade === true;
    if (message.t === "upgrade" || isUpgrade) {
      socket.off("error", ignore);
      this.emit("upgrade", request, socket, decodeBytes(message.head));
      return;
    }
    const response = new ServerResponse(message.exchange, request);
    this.#exchanges.set(message.exchange, { request, response });
    channel.attach(message.exchange, (output) => {
      if (output.t === "body") request.push(decodeBytes(output.bytes));
      else if (output.t === "body-end") request.push(null);
      else if (output.t === "acked") response.acked();
      else if (output.t === "gone") {
        channel.detach(message.exchange);
        this.#exchanges.delete(message.exchange);
        request.closed();
        response.closed();
      }
    });
    this.emit("request", request, response);
  }
}

function ignore(): void {}
