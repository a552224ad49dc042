import { isObject, parseJson, RpcErrorCode, type Transport } from "@idewire/core";
import type { FolderEndpoint } from "../../http/folder-endpoint.ts";

/** Passes frames on from a client to an endpoint, and its answers back. */
export interface HttpRelay {
  /** Ends the session at the endpoint. */
  close(): Promise<void>;
}

/**
 * Speaks Streamable HTTP (MCP 2025-11-25, Transports) for a client that speaks on stdin and stdout.
 * Frames leave in order, and a request that cannot be delivered is answered with an error.
 */
export function relayToHttp(
  client: Transport,
  { url, token }: Pick<FolderEndpoint, "url" | "token">,
): HttpRelay {
  const relay = new Relay(client, url, token);
  client.onframe = (frame) => relay.take(frame);
  return relay;
}

const PROTOCOL_ERROR = RpcErrorCode.InternalError;

class Relay implements HttpRelay {
  readonly #client: Transport;
  readonly #url: string;
  readonly #token: string;
  readonly #leaving = new AbortController();
  #session: string | undefined;
  /** The hello, which all else waits for. */
  #hello: Promise<void> | undefined;

  constructor(client: Transport, url: string, token: string) {
    this.#client = client;
    this.#url = url;
    this.#token = token;
  }

  take(frame: string): void {
    const passed = (this.#hello ?? Promise.resolve()).then(() => this.#pass(frame));
    if (this.#hello === undefined) this.#hello = passed.then(() => this.#listen());
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    if (this.#session === undefined) return;
    await this.#fetch("DELETE").catch(() => {});
  }

  async #pass(frame: string): Promise<void> {
    try {
      const answer = await this.#fetch("POST", frame);
      this.#session ??= answer.headers.get("mcp-session-id") ?? undefined;
      if (answer.headers.get("content-type")?.startsWith("text/event-stream") === true) {
        // Other frames leave in the meantime.
        void this.#readEvents(answer);
        return;
      }
      const text = await answer.text();
      if (answer.ok && text !== "") this.#client.send(text);
      if (!answer.ok) this.#fail(frame, `${answer.status} ${text.trim().slice(0, 200)}`);
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#fail(frame, describe(error));
    }
  }

  /** What is no answer to a request comes by a stream of its own. */
  #listen(): void {
    if (this.#session === undefined) return;
    void this.#fetch("GET")
      .then((answer) => (answer.ok ? this.#readEvents(answer) : undefined))
      .catch(() => {});
  }

  async #readEvents({ body }: Response): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const part of body ?? []) {
        rest += decoder.decode(part as Uint8Array, { stream: true });
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("data: ")) this.#client.send(line.slice(6));
        }
      }
    } catch {
      // The endpoint has closed; the next request fails with that.
    }
  }

  #fetch(method: string, body?: string): Promise<Response> {
    return fetch(this.#url, {
      method,
      signal: method === "DELETE" ? AbortSignal.timeout(1000) : this.#leaving.signal,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
      },
      ...(body !== undefined && { body }),
    });
  }

  #fail(frame: string, why: string): void {
    const id = idOf(frame);
    if (id === undefined) return;
    const error = { code: PROTOCOL_ERROR, message: `The vault could not be asked: ${why}` };
    this.#client.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }
}

function idOf(frame: string): unknown {
  try {
    const value: unknown = parseJson(frame);
    return isObject(value) && "method" in value ? value["id"] : undefined;
  } catch {
    return null;
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
