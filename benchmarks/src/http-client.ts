import { Agent, type IncomingMessage, request } from "node:http";
import { INITIALIZE, INITIALIZED } from "./frames.ts";
import { readBody } from "./http-listening.ts";
import type { Client, Listening } from "./implementation.ts";

/** A raw client of Streamable HTTP over `node:http`: the same for every contestant. */
export class HttpClient implements Client {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #headers: Record<string, string>;
  #lastId = 0;

  private constructor({ url, headers }: Listening) {
    this.#url = new URL(url);
    this.#headers = {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  static async open(listening: Listening): Promise<HttpClient> {
    const client = new HttpClient(listening);
    const { headers } = await client.#post(INITIALIZE);
    const session = headers["mcp-session-id"];
    if (typeof session === "string") client.#headers["mcp-session-id"] = session;
    client.#headers["mcp-protocol-version"] = "2025-11-25";
    await client.#post(INITIALIZED);
    return client;
  }

  echo(text: string): Promise<unknown> {
    return this.#request("tools/call", { name: "echo", arguments: { text } });
  }

  listTools(): Promise<unknown> {
    return this.#request("tools/list", {});
  }

  openDiff(text: string): Promise<unknown> {
    const args = { old_file_path: "/w/a", new_file_contents: text, tab_name: "a" };
    return this.#request("tools/call", { name: "openDiff", arguments: args });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  async #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const { text } = await this.#post(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const answer = JSON.parse(text) as { readonly id: number; readonly result?: unknown };
    if (answer.id !== id || answer.result === undefined) throw new Error(`Answered with ${text}`);
    return answer.result;
  }

  #post(body: string): Promise<{ readonly headers: Headers; readonly text: string }> {
    const { hostname, port, pathname } = this.#url;
    const headers = { ...this.#headers, "content-length": Buffer.byteLength(body) };
    const agent = this.#agent;
    return new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path: pathname, method: "POST", agent, headers });
      asked.on("error", reject);
      asked.on("response", (response: IncomingMessage) => {
        readBody(response, (text) => resolve({ headers: response.headers, text }));
      });
      asked.end(body);
    });
  }
}

type Headers = IncomingMessage["headers"];
