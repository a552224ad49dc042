import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, parseJson, sleep, textItems, toObject } from "./wire.ts";

/** Plays the agent of seventh-dialect.ts, without code of the product. */
export class SeventhClient {
  readonly notifications: { readonly method: string; readonly params: JsonObject }[] = [];
  readonly #ended = new AbortController();
  #url = "";
  #headers: Record<string, string> = {};
  #ids = 0;

  /** Looks for the editor of a folder, and connects. */
  async start(home: string, cwd: string): Promise<void> {
    const folder = join(home, ".seventh");
    for (const name of readdirSync(folder)) {
      const { secret, roots } = toObject(
        parseJson(readFileSync(join(folder, name), "utf8"))?.value,
      );
      if (!Array.isArray(roots) || !roots.includes(cwd)) continue;
      this.#url = `http://127.0.0.1:${Number.parseInt(name, 10)}/mcp`;
      this.#headers = { authorization: `Bearer ${String(secret)}` };
    }
    const clientInfo = { name: "mcp", version: "0" };
    const capabilities = {};
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
    await this.#send("POST", { method: "notifications/initialized" });
    void this.#listen();
    await this.#ask("tools/list", {});
  }

  /** The texts of the answer: `yes` and the text to write, or `no`. */
  async propose(path: string, text: string): Promise<readonly (string | undefined)[]> {
    const args = { original_file_path: path, new_file_contents: text, tab_name: path };
    return textItems(await this.#ask("tools/call", { name: "propose", arguments: args }));
  }

  async withdraw(path: string): Promise<void> {
    await this.#ask("tools/call", { name: "withdraw", arguments: { tab_name: path } });
  }

  end(): void {
    this.#ended.abort();
  }

  async #listen(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#read().catch(() => undefined);
      await sleep(100);
    }
  }

  async #read(): Promise<void> {
    const response = await this.#send("GET");
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of response.body ?? []) {
      const events = (text + decoder.decode(piece, { stream: true })).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const { method, params } = toObject(
          parseJson(/^data: ?(.*)$/m.exec(event)?.[1] ?? "")?.value,
        );
        if (typeof method === "string")
          this.notifications.push({ method, params: toObject(params) });
      }
    }
  }

  async #ask(method: string, params: object): Promise<unknown> {
    this.#ids += 1;
    const response = await this.#send("POST", { id: this.#ids, method, params });
    const text = await response.text();
    const { result } = toObject(parseJson(/^data: ?(.+)$/m.exec(text)?.[1] ?? text)?.value);
    return result;
  }

  async #send(method: "GET" | "POST", message?: object): Promise<Response> {
    const response = await fetch(this.#url, {
      method,
      headers: {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...this.#headers,
      },
      body: message === undefined ? null : JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: this.#ended.signal,
    });
    const session = response.headers.get("mcp-session-id");
    if (session !== null) this.#headers["mcp-session-id"] = session;
    return response;
  }
}
