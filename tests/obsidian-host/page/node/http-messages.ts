import { Buffer } from "buffer";
import { Readable, Writable } from "readable-stream";
import type { WireRequest } from "../../wire.ts";
import { channel } from "../bridge/channel.ts";
import type { Socket } from "./sockets.ts";

type Done = (error?: Error | null) => void;
type HeaderValue = string | number | readonly string[];

/** A request, parsed by Node. */
export class IncomingMessage extends Readable {
  readonly method: string;
  readonly url: string;
  readonly headers: WireRequest["headers"];
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  readonly socket: Socket;
  readonly connection: Socket;
  aborted = false;
  complete = false;
  readonly #exchange: number;

  constructor(request: WireRequest, socket: Socket, exchange: number) {
    super({ autoDestroy: false });
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.httpVersion = request.httpVersion;
    this.socket = socket;
    this.connection = socket;
    this.#exchange = exchange;
    this.once("end", () => {
      this.complete = true;
    });
  }

  _read(): void {
    if (this.#exchange !== 0) channel.send({ t: "wanted", id: this.#exchange });
  }

  closed(): void {
    this.aborted = !this.complete;
    this.destroy();
  }
}

/** The answer to a request, written by Node's own response. */
export class ServerResponse extends Writable {
  statusCode = 200;
  headersSent = false;
  readonly req: IncomingMessage;
  readonly socket: Socket;
  readonly #exchange: number;
  readonly #headers = new Map<string, { name: string; value: string | string[] }>();
  readonly #waiting: Done[] = [];
  #acks = 0;

  constructor(exchange: number, request: IncomingMessage) {
    super({ autoDestroy: false });
    this.#exchange = exchange;
    this.req = request;
    this.socket = request.socket;
  }

  get writableEnded(): boolean {
    return (this as unknown as { _writableState: { ended: boolean } })._writableState.ended;
  }

  setHeader(name: string, value: HeaderValue): this {
    const text = Array.isArray(value) ? value.map(String) : String(value as string | number);
    this.#headers.set(name.toLowerCase(), { name, value: text });
    return this;
  }

  writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const headers = rest.find((each) => typeof each === "object" && each !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value as HeaderValue);
    this.#sendHead();
    return this;
  }

  flushHeaders(): void {
    this.#sendHead();
  }

  _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    this.#sendHead();
    this.#acks += 1;
    this.#waiting.push(done);
    const bytes = Buffer.from(chunk).toString("base64");
    channel.send({ t: "body", id: this.#exchange, bytes, ack: this.#acks });
  }

  _final(done: Done): void {
    this.#sendHead();
    channel.send({ t: "body-end", id: this.#exchange });
    done();
  }

  acked(): void {
    this.#waiting.shift()?.();
  }

  closed(): void {
    for (const done of this.#waiting.splice(0)) done();
    this.destroy();
  }

  #sendHead(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    const pairs = [...this.#headers.values()].map(({ name, value }) => [name, value] as const);
    const headers = Object.fromEntries(pairs);
    channel.send({ t: "head", id: this.#exchange, status: this.statusCode, headers });
  }
}
