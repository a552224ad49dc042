import type { IncomingMessage } from "node:http";
import type { RequestHead } from "@idewire/http";

/** The head of a request of `node:http`. */
export class NodeHead implements RequestHead {
  readonly #request: IncomingMessage;
  readonly path: string;
  readonly query: string;

  constructor(request: IncomingMessage) {
    this.#request = request;
    const { url = "" } = request;
    const end = url.search(/[?#]/);
    this.path = end === -1 ? url : url.slice(0, end);
    this.query = url[end] === "?" ? url.slice(end + 1).replace(/#.*/s, "") : "";
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
