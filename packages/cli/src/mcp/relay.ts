import type { RequestId } from "@idewire/core/internal";
import { isObject, isRequestId, parseJson } from "@idewire/core/internal";
import { IdewireError, RpcError, RpcErrorCode, type Transport } from "@idewire/core/rpc";

/**
 * Forwards frames between a client and a server whose transport carries each request separately.
 *
 * A request that cannot be delivered is answered with an error. When the server ends the session, a new one is
 * opened with the client's own `initialize`, and undelivered requests are sent again, once.
 * @param open opens a transport to the server; called now, and after each end of a session
 */
export function relay(client: Transport, open: () => Transport): McpRelay {
  return new McpRelay(client, open);
}

class McpRelay {
  readonly #client: Transport;
  readonly #open: () => Transport;
  /** The client's `initialize` and `notifications/initialized`. */
  readonly #hello: string[] = [];
  /** The pending requests. */
  readonly #waiting = new Map<RequestId, string>();
  /** The frames to send again in the next session. */
  #untaken: string[] = [];
  /** The frames already sent again, which are not resent twice. */
  readonly #resent = new Set<string>();
  #server: Transport;
  /** The id of a repeated `initialize`, whose answer the client already has. */
  #repeated: RequestId | undefined;

  constructor(client: Transport, open: () => Transport) {
    this.#client = client;
    this.#open = open;
    this.#server = this.#connect();
    client.onframe = (frame) => this.#take(frame);
  }

  /** Ends the session at the server. */
  async close(): Promise<void> {
    const server = this.#server;
    await new Promise<void>((resolve) => {
      server.onclose = () => resolve();
      server.close();
    });
  }

  #connect(): Transport {
    const server = this.#open();
    server.onframe = (frame) => this.#pass(frame);
    server.onclose = () => this.#reconnect();
    server.requests = {
      awaits: (id) => this.#waiting.has(id) || id === this.#repeated,
      fail: (id, error) => this.#fail(id, error),
    };
    return server;
  }

  #take(frame: string): void {
    const id = idOf(frame, "method");
    if (id !== undefined) this.#waiting.set(id, frame);
    if (this.#hello.length < 2) this.#hello.push(frame);
    if (this.#server.reaches?.() === false) this.#untaken.push(frame);
    else this.#server.send(frame);
  }

  #pass(frame: string): void {
    const id = idOf(frame, "result") ?? idOf(frame, "error");
    if (id !== undefined) {
      this.#resent.delete(this.#waiting.get(id) ?? "");
      this.#waiting.delete(id);
    }
    if (id === undefined || id !== this.#repeated) this.#client.send(frame);
    else this.#repeated = undefined;
  }

  #fail(id: RequestId, error: Error): void {
    const frame = this.#waiting.get(id);
    if (frame === undefined) return;
    const isOver = this.#server.reaches?.() === false;
    const isUntaken = error instanceof IdewireError && error.code === "unreachable";
    if (isOver && isUntaken && !this.#resent.delete(frame)) {
      this.#untaken.push(frame);
      return;
    }
    this.#waiting.delete(id);
    const { code, data } = error instanceof RpcError ? error : { ...unanswered };
    const message = `The vault could not be reached: ${error.message}`;
    this.#client.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
  }

  #reconnect(): void {
    const untaken = this.#untaken;
    this.#untaken = [];
    this.#server = this.#connect();
    this.#repeated = idOf(this.#hello[0] ?? "", "method");
    for (const frame of untaken) this.#resent.add(frame);
    for (const frame of [...this.#hello, ...untaken]) this.#server.send(frame);
  }
}

const unanswered = { code: RpcErrorCode.InternalError, data: undefined };

/** The id of a frame that has a member. */
function idOf(frame: string, member: "method" | "result" | "error"): RequestId | undefined {
  try {
    const value: unknown = parseJson(frame);
    const id = isObject(value) && member in value ? value["id"] : undefined;
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
