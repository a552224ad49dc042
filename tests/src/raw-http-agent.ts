import { readFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Dialect } from "@idewire/core";
import type { IdeListener } from "@idewire/node-server";
import { onTestFinished } from "vitest";
import { type JsonObject, parseJson, toObject } from "./reference-clients/wire.ts";

/** An agent over HTTP that sends exactly the given bytes, and reads on demand. */
export class RawHttpAgent {
  readonly #place: { readonly socketPath: string } | { readonly host: string; port: number };
  readonly #headers: Record<string, string>;
  #lastId = 0;

  /** @param name of its session; agents of Copilot CLI have one each */
  constructor({ endpoints }: IdeListener, { id, endpoint }: Dialect, name = "raw") {
    const found = endpoints.find(({ dialect }) => dialect === id);
    const read = endpoint.discovery?.read(readFileSync(found?.lockFile ?? "", "utf8"));
    if (read?.ok !== true) throw new Error(`no endpoint of ${id}`);
    const { socketPath, port = 0 } = found ?? {};
    this.#place = socketPath === undefined ? { host: "127.0.0.1", port } : { socketPath };
    this.#headers = {
      authorization: `${endpoint.scheme ?? "Bearer"} ${read.value.authToken}`,
      host: "localhost",
      ...endpoint.introduce?.({ session: name, pid: process.pid }),
    };
  }

  /** Its target, and the headers that it sends, as options of a request. */
  get address(): object {
    return { ...this.#place, headers: this.#headers };
  }

  /** Sends `initialize`, and lists the tools as agents do. */
  async begin(): Promise<this> {
    const clientInfo = { name: "raw", version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await this.#answer({ method: "notifications/initialized" });
    await this.ask("tools/list", {});
    return this;
  }

  /** A request; resolves to its result or error. */
  ask(method: string, params: object): Promise<JsonObject> {
    this.#lastId += 1;
    return this.#answer({ id: this.#lastId, method, params });
  }

  /** Opens the stream, which is read only on demand. */
  async listen(headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    const sent = this.open("GET", { accept: "text/event-stream", ...headers });
    const answer = answerOf(sent);
    sent.end();
    const response = await answer;
    response.on("error", () => {});
    return response.pause();
  }

  /** Starts a request, whose body the caller sends. */
  open(method: string, headers: Readonly<Record<string, string>>): ClientRequest {
    const all = { ...this.#headers, ...headers };
    const sent = request({ ...this.#place, path: "/mcp", method, headers: all, agent: false });
    sent.on("error", () => {});
    onTestFinished(() => void sent.destroy());
    return sent;
  }

  async #answer(message: object): Promise<JsonObject> {
    const sent = this.open("POST", {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    });
    const answer = answerOf(sent);
    sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
    const response = await answer;
    const session = response.headers["mcp-session-id"];
    if (typeof session === "string") this.#headers["mcp-session-id"] = session;
    let text = "";
    for await (const piece of response.setEncoding("utf8")) text += piece;
    const json = /^data: ?(.+)$/m.exec(text)?.[1] ?? text;
    const { result, error } = toObject(parseJson(json)?.value);
    return toObject(result ?? error ?? { status: response.statusCode });
  }
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
}

/** The messages in the text of a stream, in order. */
export function messagesIn(text: string): readonly JsonObject[] {
  return [...text.matchAll(/^data: ?(.+)$/gm)].map(([, json = ""]) =>
    toObject(parseJson(json)?.value),
  );
}
