import type { RequestId } from "@idewire/core/internal";
import { isObject, isRequestId, parseJson } from "@idewire/core/internal";
import { IdewireError, RpcError, RpcErrorCode, type Transport } from "@idewire/core/rpc";

/**
 * Forwards frames between a client and a server whose transport carries each request separately.
 *
 * A request that cannot be delivered is answered with an error, in the words of `explain`. When the server ends the session, a new one is
 * opened with the client's own `initialize`, and undelivered requests are sent again, once.
 * @param open opens a transport to the server; called now, and after each end of a session
 */
export function relay(client: Transport, open: () => Transport, explain: ExplainFailure): McpRelay {
  return new McpRelay(client, open, explain);
}

/** The message for the client of a failed request. */
export type ExplainFailure = (error: Error) => string | Promise<string>;

class McpRelay {
  readonly #client: Transport;
  readonly #open: () => Transport;
  readonly #explain: ExplainFailure;
  /** The client's `initialize` and `notifications/initialized`, by their methods; none in the modern era. */
  readonly #hello = new Map<string, string>();
  /** The pending requests. */
  readonly #waiting = new Map<RequestId, string>();
  /** The frames to send again in the next session. */
  #untaken: string[] = [];
  /** The frames already sent again, which are not resent twice. */
  readonly #resent = new Set<string>();
  #server: Transport;
  /** The id of a repeated `initialize`, whose answer the client already has. */
  #repeated: RequestId | undefined;

  constructor(client: Transport, open: () => Transport, explain: ExplainFailure) {
    this.#client = client;
    this.#open = open;
    this.#explain = explain;
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
    const { id, method } = readFrame(frame);
    if (isRequestId(id) && method !== undefined) this.#waiting.set(id, frame);
    if (typeof method === "string" && HELLO.includes(method)) this.#hello.set(method, frame);
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
    void this.#answer(id, error);
  }

  async #answer(id: RequestId, error: Error): Promise<void> {
    const { code, data } = error instanceof RpcError ? error : { ...unanswered };
    const message = await this.#explain(error);
    this.#client.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
  }

  #reconnect(): void {
    const untaken = this.#untaken;
    this.#untaken = [];
    this.#server = this.#connect();
    const hello = HELLO.flatMap((method) => this.#hello.get(method) ?? []);
    this.#repeated = idOf(hello[0] ?? "", "method");
    for (const frame of untaken) this.#resent.add(frame);
    for (const frame of [...hello, ...untaken]) this.#server.send(frame);
  }
}

const unanswered = { code: RpcErrorCode.InternalError, data: undefined };

/** The messages with which a session begins, in their order. */
const HELLO: readonly string[] = ["initialize", "notifications/initialized"];

/** The id of a frame that has a member. */
function idOf(frame: string, member: "method" | "result" | "error"): RequestId | undefined {
  const message = readFrame(frame);
  return member in message && isRequestId(message.id) ? message.id : undefined;
}

/** The members of a message; none for anything else. */
function readFrame(frame: string): { readonly id?: unknown; readonly method?: unknown } {
  try {
    const value: unknown = parseJson(frame);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
