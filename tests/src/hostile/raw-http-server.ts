import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** The part of a request that a raw server parses. */
export interface RawRequest {
  readonly method: string;
  readonly id: number | undefined;
  readonly tool: unknown;
}

/** Answers a request with any bytes. */
export type RawAnswer = (request: RawRequest, socket: Socket) => void;

/** An HTTP server that writes raw responses, which may not be HTTP at all. */
export class RawHttpServer {
  readonly #sockets = new Set<Socket>();
  readonly #answer: RawAnswer;
  readonly #server: Server;

  constructor(answer: RawAnswer) {
    this.#answer = answer;
    this.#server = createServer((socket) => this.#read(socket));
  }

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #read(socket: Socket): void {
    this.#sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
      for (;;) {
        const end = text.indexOf("\r\n\r\n") + 4;
        const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
        if (end < 4 || text.length < end + length) return;
        const [head, body] = [text.slice(0, end), text.slice(end, end + length)];
        text = text.slice(end + length);
        this.#answer(toRequest(head, body), socket);
      }
    });
  }
}

function toRequest(head: string, body: string): RawRequest {
  const { id, method, params } = body === "" ? {} : JSON.parse(body);
  return { method: method ?? head.split(" ", 1)[0], id, tool: params?.name };
}

/** A correct response. */
export function response(body: string, status = 200, type = "application/json"): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
