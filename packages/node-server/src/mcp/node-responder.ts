import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpHeaders } from "@idewire/http/internal";
import {
  encodeHeaders,
  eventHeaders,
  type HttpRefusal,
  type Responder,
} from "@idewire/http/internal";
import { endRefused } from "../loopback-server/last-answer.ts";

const LONG = 1 << 20;

/** The answer to a request of `node:http`. */
export class NodeResponder implements Responder {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** The unsent headers of a stream. */
  #head: HttpHeaders | undefined;
  /** The text written to the stream in this turn. */
  #text = "";
  #added: HttpHeaders | undefined;
  readonly #onWrite: (() => void)[] = [];
  #isFlushing = false;
  #isEnding = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get ended(): boolean {
    return this.#isEnding || this.#response.writableEnded || this.#hasLeft;
  }

  get bufferedAmount(): number {
    return this.#response.writableLength + this.#text.length;
  }

  get #hasLeft(): boolean {
    return this.#response.destroyed || this.#request.socket.destroyed;
  }

  onClose(listener: () => void): void {
    if (this.#hasLeft) {
      listener();
      return;
    }
    if (this.#response.socket !== null) {
      this.#response.on("close", listener);
      return;
    }
    // A pipelined response that waits for its turn: Node closes only the current one.
    const { socket } = this.#request;
    const close = () => {
      socket.off("close", close);
      this.#response.off("close", close);
      listener();
    };
    socket.setMaxListeners(0).on("close", close);
    this.#response.on("close", close);
  }

  onWrite(listener: () => void): void {
    this.#onWrite.push(listener);
  }

  onDrain(listener: () => void): void {
    this.#response.on("drain", listener);
  }

  addHeaders(headers: HttpHeaders): void {
    this.#added = headers;
  }

  answer(status: number, headers: HttpHeaders, body = ""): void {
    if (!this.ended) this.#answer(status, { ...this.#added, ...headers }, body);
  }

  refuse(refused: HttpRefusal): void {
    if (this.#head !== undefined) {
      this.end();
      return;
    }
    const { headers, ...answer } = refused.answerTo();
    const all = { ...answer, headers: { ...this.#added, ...headers } };
    endRefused(this.#request, this.#response, all);
  }

  begin(headers: HttpHeaders): void {
    if (this.ended) return;
    this.#head = { ...this.#added, ...headers, ...eventHeaders };
    this.#flushLater();
  }

  write(text: string): void {
    if (this.ended) return;
    this.#text += text;
    this.#flushLater();
  }

  end(): void {
    if (this.ended) return;
    this.#isEnding = true;
    this.#flushLater();
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** Everything written in one turn leaves in one write. */
  #flushLater(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const head = this.#head;
    const text = this.#text;
    this.#isFlushing = false;
    this.#head = undefined;
    this.#text = "";
    if (this.#hasLeft || this.#response.writableEnded) return;
    if (head !== undefined && this.#isEnding) {
      this.#answer(200, head, text);
      return;
    }
    if (head !== undefined) this.#response.writeHead(200, encodeHeaders(head));
    if (this.#isEnding) this.#response.end(text);
    else if (text === "") this.#response.flushHeaders();
    else this.#response.write(text);
    this.#written();
  }

  #answer(status: number, headers: HttpHeaders, body: string): void {
    const length = Buffer.byteLength(body);
    const size = { "content-length": length };
    // In V8 a literal with another member after a spread takes ten times as long.
    this.#response.writeHead(status, Object.assign({}, encodeHeaders(headers), size));
    // Node concatenates the head and a text: a long text would be copied once more.
    this.#response.end(length > LONG ? Buffer.from(body) : body);
    this.#written();
  }

  #written(): void {
    for (const listener of this.#onWrite) listener();
  }
}
