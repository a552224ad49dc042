import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";
import type { Diagnostic, Flaw } from "./broken-answers.ts";
import {
  diagnosticsResult,
  diffReply,
  initializeResult,
  textResult,
  toolList,
} from "./broken-answers.ts";
import type { Fixture } from "./fixture.ts";
import type { JsonObject, WireMessage } from "./wire.ts";
import { isObject, parseJson, sleep, toObject } from "./wire.ts";

export interface BrokenServerOptions {
  readonly flaw?: Flaw;
  readonly port?: number;
  readonly token?: string;
  readonly capabilities?: object;
  readonly deflate?: boolean;
  /** The first id of its own requests; large by default. */
  readonly firstRequestId?: number;
  /** The revision answered to initialize, instead of the client's. */
  readonly revision?: string;
  /** Fields that override those of the correct lock file; false writes no file. */
  readonly lock?: object | false;
  /** The selection to send again on each connection, this long after the last list request. */
  readonly selection?: object;
  readonly resendMs?: number;
}

interface OpenDiff {
  readonly socket: WebSocket;
  readonly id: unknown;
  readonly args: JsonObject;
}

/** A small correct editor on a raw socket, with at most one flaw switched on. */
export class BrokenServer {
  readonly upgrades: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  readonly received: WireMessage[] = [];
  readonly closeCodes: number[] = [];
  readonly diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly diffs = new Map<string, OpenDiff>();
  readonly lockPath: string | undefined;
  readonly port: number;
  /** Called once a baseline is answered; returns the diagnostics after the edit. */
  afterBaseline: () => void = () => undefined;
  pongs = 0;
  readonly #options: BrokenServerOptions;
  readonly #server: WebSocketServer;
  #resend: NodeJS.Timeout | undefined;
  #nextId: number;

  private constructor(fixture: Fixture, server: WebSocketServer, options: BrokenServerOptions) {
    this.#options = options;
    this.#nextId = options.firstRequestId ?? 1_000_000;
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (socket, request) => this.#accept(socket, request));
    server.on("headers", (_, request) => this.#onUpgrade(request));
    if (options.lock === false) return;
    this.lockPath = fixture.lock(this.port, {
      pid: process.pid,
      workspaceFolders: [fixture.workspace],
      ideName: "Raw editor",
      transport: "ws",
      authToken: this.token,
      ...options.lock,
    });
  }

  static async open(fixture: Fixture, options: BrokenServerOptions = {}): Promise<BrokenServer> {
    const { flaw, token = "secret" } = options;
    const server = new WebSocketServer({
      host: "127.0.0.1",
      port: options.port ?? 0,
      perMessageDeflate: options.deflate ?? false,
      handleProtocols: () => (flaw === "no-subprotocol" ? false : "mcp"),
      verifyClient: ({ req }, done) => {
        const given = req.headers["x-claude-code-ide-authorization"] ?? "secret";
        done(flaw !== "refuses-401" && given === token, 401);
      },
    });
    await new Promise<void>((resolve, reject) => {
      server.once("listening", resolve);
      server.once("error", reject);
    });
    return new BrokenServer(fixture, server, options);
  }

  get token(): string {
    return this.#options.token ?? "secret";
  }

  methods(): string[] {
    return this.received.map((frame) => String(frame.method ?? `answer ${String(frame.id)}`));
  }

  /** Sends a verbatim text to all clients. */
  raw(text: string | Buffer): void {
    for (const socket of this.#server.clients) socket.send(text);
  }

  notify(method: string, params?: object): void {
    this.raw(JSON.stringify({ jsonrpc: "2.0", method, ...(params ? { params } : {}) }));
  }

  request(method: string, params?: object, id: unknown = this.#nextId++): unknown {
    this.raw(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params ? { params } : {}) }));
    return id;
  }

  ping(): void {
    for (const socket of this.#server.clients) socket.ping();
  }

  /** Decides as the person in the editor: answers the oldest open diff, or the one of a tab. */
  decide(kind: "accept" | "reject" | "close", text?: string, tab?: string): void {
    const name = tab ?? [...this.diffs.keys()][0] ?? "";
    const diff = this.diffs.get(name);
    if (!diff) throw new Error("no diff is open");
    this.diffs.delete(name);
    const proposed = String(diff.args["new_file_contents"]);
    const decision = kind === "accept" ? { kind, text: text ?? proposed } : { kind };
    this.#send(diff.socket, { id: diff.id, ...diffReply(this.#options.flaw, decision) });
  }

  /** Ends all connections, with or without a close frame. */
  drop(code?: number): void {
    for (const socket of this.#server.clients) {
      if (code === undefined) socket.terminate();
      else socket.close(code);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#resend);
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #onUpgrade(request: IncomingMessage): void {
    this.upgrades.push({ url: request.url ?? "", headers: request.headers });
  }

  #accept(socket: WebSocket, _request: IncomingMessage): void {
    socket.on("close", (code) => this.closeCodes.push(code));
    socket.on("pong", () => this.pongs++);
    if (this.#options.flaw === "closes-1008") return void socket.close(1008, "bad token");
    socket.on("message", (data) => {
      const frame = parseJson(String(data))?.value;
      if (!isObject(frame)) return;
      this.received.push(frame);
      if (typeof frame["method"] === "string") void this.#answer(socket, frame);
    });
  }

  #send(socket: WebSocket, body: JsonObject): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...body });
    socket.send(text, { binary: this.#options.flaw === "binary-answer" });
  }

  async #answer(socket: WebSocket, frame: WireMessage): Promise<void> {
    const { flaw, capabilities = { tools: {} } } = this.#options;
    if (flaw === "speaks-too-early" && this.#options.selection) {
      this.notify("selection_changed", this.#options.selection);
    }
    if (frame.method === "initialize") {
      if (flaw === "asks-before-initialize-reply") this.request("ping");
      if (flaw === "initialize-error") {
        return this.#send(socket, { id: frame.id, error: { code: -32000, message: "no" } });
      }
      const result = initializeResult(frame, flaw, capabilities, this.#options.revision);
      return this.#reply(socket, frame.id, result);
    }
    if (frame.method === "notifications/initialized" || frame.method === "ide_connected") {
      return this.#scheduleResend(socket);
    }
    if (String(frame.method).endsWith("/list")) {
      this.#scheduleResend(socket);
      const key = String(frame.method).split("/").at(-2) ?? "";
      return this.#reply(socket, frame.id, key === "tools" ? toolList(flaw) : { [key]: [] });
    }
    if (frame.method === "tools/call") return this.#call(socket, frame);
  }

  async #call(socket: WebSocket, frame: WireMessage): Promise<void> {
    const { flaw } = this.#options;
    const { name, arguments: given } = toObject(frame.params);
    const args = toObject(given);
    const own = name === "close_tab" || name === "closeAllDiffTabs";
    if (own && flaw === "no-own-tools") {
      return this.#send(socket, { id: frame.id, error: { code: -32602, message: "unknown tool" } });
    }
    if (name === "openDiff") {
      this.diffs.set(String(args["tab_name"]), { socket, id: frame.id, args });
      return;
    }
    if (own) {
      for (const tab of name === "close_tab" ? [String(args["tab_name"])] : this.diffs.keys()) {
        if (this.diffs.has(tab) && flaw !== "never-settles") this.decide("reject", undefined, tab);
      }
      return this.#reply(socket, frame.id, textResult("TAB_CLOSED"));
    }
    if (name !== "getDiagnostics") return this.#reply(socket, frame.id, textResult("ok"));
    const { uri } = args;
    if (flaw === "late-baseline" && uri !== undefined) await sleep(560);
    if (flaw === "late-diagnostics" && uri === undefined) await sleep(2100);
    this.#reply(socket, frame.id, diagnosticsResult(flaw, this.diagnostics, uri));
    if (uri !== undefined) this.afterBaseline();
  }

  #reply(socket: WebSocket, id: unknown, result: JsonObject): void {
    const { flaw } = this.#options;
    if (flaw === "too-big") this.#send(socket, { method: "x", params: ["x".repeat(2 ** 24)] });
    if (flaw === "unknown-id") this.#send(socket, { id: 4711, result });
    this.#send(socket, { id, result, ...(flaw === "result-and-error" ? { error: null } : {}) });
    if (flaw === "second-answer") this.#send(socket, { id, result });
  }

  #scheduleResend(socket: WebSocket): void {
    const { selection, resendMs = 150, flaw } = this.#options;
    if (!selection || flaw === "speaks-too-early") return;
    if (flaw === "never-resends" && this.upgrades.length > 1) return;
    clearTimeout(this.#resend);
    const params = flaw === "null-keys" ? { ...selection, text: null } : { ...selection };
    this.#resend = setTimeout(() => {
      this.#send(socket, { method: "selection_changed", params });
    }, resendMs);
  }
}
