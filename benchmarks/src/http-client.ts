import { Agent, type IncomingMessage, request } from "node:http";
import { INITIALIZE, INITIALIZED } from "./frames.ts";
import { readBody } from "./http-listening.ts";
import type { Client, Listening } from "./implementation.ts";

/** The options of the calls. */
interface HttpHow {
  readonly modern: boolean;
  readonly progress: boolean;
}

const prefix = "io.modelcontextprotocol/";
export const modernMeta: Readonly<Record<string, unknown>> = {
  [`${prefix}protocolVersion`]: "2026-07-28",
  [`${prefix}clientCapabilities`]: {},
  [`${prefix}clientInfo`]: { name: "bench", version: "1.0.0" },
};
/** The headers of a call of `echo`, the only tool called here. */
export const modernHeaders: Readonly<Record<string, string>> = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo",
};

/** A raw client of Streamable HTTP over `node:http`: the same for every contestant. */
export class HttpClient implements Client {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #headers: Record<string, string>;
  readonly #how: HttpHow;
  #lastId = 0;

  private constructor({ url, headers }: Listening, how: HttpHow) {
    this.#how = how;
    this.#url = new URL(url);
    this.#headers = {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  static async open(listening: Listening, how: HttpHow): Promise<HttpClient> {
    const client = new HttpClient(listening, how);
    if (how.modern) {
      Object.assign(client.#headers, modernHeaders);
      return client;
    }
    const { headers } = await client.#post(INITIALIZE);
    const session = headers["mcp-session-id"];
    if (typeof session === "string") client.#headers["mcp-session-id"] = session;
    client.#headers["mcp-protocol-version"] = "2025-11-25";
    await client.#post(INITIALIZED);
    return client;
  }

  /** Opens sessions one after the other, without ending them. */
  static async abandon(listening: Listening, count: number): Promise<void> {
    const client = new HttpClient(listening, { modern: false, progress: false });
    for (let index = 0; index < count; index += 1) await client.#post(INITIALIZE);
    await client.close();
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

  async #request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const meta = {
      ...(this.#how.modern && modernMeta),
      ...(this.#how.progress && { progressToken: id }),
    };
    const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
    const { text } = await this.#post(JSON.stringify(body));
    const answer = parseAnswer(text, this.#how.progress);
    if (answer.id !== id || answer.result === undefined) throw new Error(`Answered with ${text}`);
    return answer.result;
  }

  #post(body: string): Promise<{ readonly headers: Headers; readonly text: string }> {
    const { hostname, port, pathname } = this.#url;
    const headers = { ...this.#headers, "content-length": Buffer.byteLength(body) };
    const agent = this.#agent;
    return new Promise((resolve, reject) => {
      const outgoing = request({ hostname, port, path: pathname, method: "POST", agent, headers });
      outgoing.on("error", reject);
      outgoing.on("response", (response: IncomingMessage) => {
        readBody(response, (text) => resolve({ headers: response.headers, text }));
      });
      outgoing.end(body);
    });
  }
}

/** The answer in a body: the whole body, or its last event, preceded by one of progress if requested. */
function parseAnswer(
  text: string,
  hasProgress: boolean,
): { readonly id: number; readonly result?: unknown } {
  if (!hasProgress && text.startsWith("{")) return JSON.parse(text);
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
  const progress = events.filter(({ method }) => method === "notifications/progress");
  if (progress.length !== Number(hasProgress)) throw new Error(`Unexpected progress: ${text}`);
  return events.at(-1);
}

type Headers = IncomingMessage["headers"];
