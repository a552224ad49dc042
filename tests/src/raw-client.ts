import { once } from "node:events";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { TIMEOUT_MS } from "./reference-clients/transcript.ts";
import {
  isObject,
  type JsonObject,
  parseJson,
  type WireMessage,
} from "./reference-clients/wire.ts";

/** A client that sends exactly the given frames, valid or not. */
export class RawClient {
  readonly socket: WebSocket;
  readonly received: WireMessage[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #lastId = 0;
  /** Ends each wait of the test: an answer that it does not await may never come. */
  readonly #waits = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      const message = parseJson(data.toString())?.value;
      if (isObject(message)) this.received.push(message);
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** Connects with the lock file's token; disconnected when the test ends. */
  static async open(lockFile: string): Promise<RawClient> {
    const { authToken } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken: string };
    const port = /(\d+)\.lock$/.exec(lockFile)?.[1] ?? "";
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, ["mcp"], {
      headers: { "X-Claude-Code-Ide-Authorization": authToken },
    });
    const client = new RawClient(socket);
    onTestFinished(() => {
      socket.terminate();
      for (const end of client.#waits) end();
    });
    await once(socket, "open");
    return client;
  }

  /** Connects and performs the handshake. */
  static async ready(lockFile: string): Promise<RawClient> {
    const client = await RawClient.open(lockFile);
    await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return client;
  }

  send(message: JsonObject | string): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a request and returns the whole answer. */
  async request(method: string, params?: JsonObject, timeoutMs = TIMEOUT_MS): Promise<WireMessage> {
    this.#lastId += 1;
    const id = `raw-${this.#lastId}`;
    this.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return this.answer((message) => message.id === id, timeoutMs);
  }

  /** The received messages of a method, in order. */
  receivedOf(method: string): WireMessage[] {
    return this.received.filter((message) => message.method === method);
  }

  /** Proposes a change of a file; the answer has the id `diff`. */
  propose(path: string, contents: string): void {
    const named = { old_file_path: path, new_file_path: path, new_file_contents: contents };
    const params = { name: "openDiff", arguments: { ...named, tab_name: "A change" } };
    this.send({ jsonrpc: "2.0", id: "diff", method: "tools/call", params });
  }

  async callTool(name: string, args: unknown): Promise<JsonObject> {
    const { result } = await this.request("tools/call", { name, arguments: args });
    if (!isObject(result)) throw new Error(`no result of ${name}`);
    return result;
  }

  /** The first matching message received so far or later. */
  answer(wanted: (message: WireMessage) => boolean, timeoutMs = TIMEOUT_MS): Promise<WireMessage> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        end();
        reject(this.#nothing(timeoutMs));
      }, timeoutMs);
      const look = () => {
        const found = this.received.find(wanted);
        if (found === undefined) return;
        end();
        resolve(found);
      };
      const end = () => {
        clearTimeout(timer);
        this.socket.off("message", look);
        this.#waits.delete(end);
      };
      this.#waits.add(end);
      this.socket.on("message", look);
      look();
    });
  }

  #nothing(timeoutMs: number): Error {
    const last = this.received.slice(-8).map((message) => JSON.stringify(message).slice(0, 300));
    return new Error(`no such message in ${timeoutMs} ms; the last were\n${last.join("\n")}`);
  }
}
