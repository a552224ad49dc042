import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "./refuse.ts";
import type { Refused } from "./refused.ts";
import { eventHeaders, type HttpHeaders, type Responder } from "./responder.ts";

/** The answer to a request of `node:http`. */
export class NodeResponder implements Responder {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #corked = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get ended(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  get bufferedAmount(): number {
    return this.#response.writableLength;
  }

  onClose(listener: () => void): void {
    this.#response.on("close", listener);
  }

  onDrain(listener: () => void): void {
    this.#response.on("drain", listener);
  }

  answer(status: number, headers: HttpHeaders, body = ""): void {
    if (this.ended) return;
    const length = Buffer.byteLength(body);
    this.#response.writeHead(status, { ...headers, "content-length": length });
    this.#response.end(body);
  }

  refuse(refused: Refused): void {
    refuse(this.#request, this.#response, refused);
  }

  begin(headers: HttpHeaders): void {
    if (this.ended) return;
    this.#cork();
    this.#response.writeHead(200, { ...headers, ...eventHeaders });
    this.#response.flushHeaders();
  }

  write(text: string): void {
    if (this.ended) return;
    this.#cork();
    this.#response.write(text);
  }

  end(): void {
    if (!this.ended) this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** All of one turn leaves in one write. */
  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#response.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#response.uncork();
    });
  }
}
