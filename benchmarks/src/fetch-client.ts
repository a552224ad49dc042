import { INITIALIZE, INITIALIZED } from "./frames.ts";
import { modernHeaders, modernMeta } from "./http-client.ts";
import type { Client, ConnectHttpOptions, Listening } from "./implementation.ts";

/** A minimal client over `fetch`, without session handling and without checks of answers. */
export class FetchClient implements Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #meta: object;
  #lastId = 0;

  private constructor({ url, headers }: Pick<Listening, "url" | "headers">, isModern: boolean) {
    this.#url = url;
    this.#meta = isModern ? modernMeta : {};
    this.#headers = {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  static async open(
    listening: Pick<Listening, "url" | "headers">,
    { modern = false }: ConnectHttpOptions,
  ): Promise<FetchClient> {
    const client = new FetchClient(listening, modern);
    if (modern) {
      Object.assign(client.#headers, modernHeaders);
      return client;
    }
    const { headers } = await client.#post(INITIALIZE);
    client.#headers["mcp-session-id"] = headers.get("mcp-session-id") ?? "";
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
    return this.#request("tools/call", { name: "openDiff", arguments: { text } });
  }

  async close(): Promise<void> {}

  async #request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: this.#meta } };
    const { text } = await this.#post(JSON.stringify(body));
    const answer = JSON.parse(text);
    if (answer.id !== id || answer.result === undefined) throw new Error(`Answered with ${text}`);
    return answer.result;
  }

  async #post(body: string) {
    const response = await fetch(this.#url, { method: "POST", headers: this.#headers, body });
    return { headers: response.headers, text: await response.text() };
  }
}
