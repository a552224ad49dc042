import { type FSWatcher, mkdirSync, watch } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { basename } from "node:path";
import {
  type CopilotLock,
  type CopilotPlace,
  findLocks,
  isReference,
  isSelection,
  lockFolder,
} from "./copilot-discovery.ts";
import { until } from "./transcript.ts";
import { isObject, type JsonObject, parseJson, sleep, textItems, toObject } from "./wire.ts";

export interface CopilotClientOptions extends CopilotPlace {
  /** Scales the waits between reconnections. */
  readonly retryFactor?: number;
  /** The id of its session, which a second start may share. */
  readonly sessionId?: string;
  /** Its process id, if not that of the test. */
  readonly pid?: number;
}

/** The selection in the editor, as in its prompt. */
export interface CopilotSelection {
  readonly text: string;
  readonly filePath: string;
  readonly selection: { readonly start: { readonly line: number }; readonly isEmpty: boolean };
}

/** "reconnects with 1 s·2ⁿ≤30 s backoff, 5 tries" (other-agents, 5). */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const MAX_RETRIES = 5;

/** Plays Copilot CLI 1.0.102 as a client of an editor. */
export class CopilotClient {
  state: "searching" | "connected" | "stateless" | "disconnected" = "searching";
  problem = "";
  selection: CopilotSelection | undefined;
  /** The text that mentions have added to its prompt: "`@file:line-line`" (read in its bundle). */
  input = "";
  readonly notifications: { readonly method: string; readonly params: JsonObject }[] = [];
  readonly tools: string[] = [];
  /** How often it has sent `initialize`. */
  handshakes = 0;
  readonly sessionId: string;
  readonly #options: CopilotClientOptions;
  readonly #watchers: FSWatcher[] = [];
  #lock: CopilotLock | undefined;
  #mcpSession: string | undefined;
  #stream: IncomingMessage | undefined;
  #ids = 0;
  #retries = 0;
  #isConnecting = false;
  #hasExited = false;

  constructor(options: CopilotClientOptions) {
    this.#options = options;
    this.sessionId = options.sessionId ?? crypto.randomUUID();
  }

  /** "Auto-connect …; it *watches* the directory" (5). */
  async start(): Promise<void> {
    const folder = lockFolder(this.#options);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#watchers.push(watch(folder, (_, name) => void this.#changed(name)));
    await this.#tryConnect();
  }

  until<T>(what: string, check: () => T | undefined | false, timeoutMs?: number): Promise<T> {
    const context = () => ` (${this.state} ${this.problem}) ${JSON.stringify(this.notifications)}`;
    return until(what, check, timeoutMs, context);
  }

  /** Proposes a text; resolves with its answer, undefined for "no answer" (5: "a wrong shape counts"). */
  async openDiff(path: string, text: string, tab: string): Promise<JsonObject | undefined> {
    const args = { original_file_path: path, new_file_contents: text, tab_name: tab };
    const answer = await this.call("open_diff", args);
    const { success, result, trigger, tab_name, message } = toObject(answer);
    const isRight =
      typeof success === "boolean" &&
      (result === "SAVED" || result === "REJECTED") &&
      [trigger, tab_name, message].every((one) => typeof one === "string");
    return isRight ? toObject(answer) : undefined;
  }

  /** "terminal answer → `close_diff`" (5). */
  async answerInTerminal(tab: string): Promise<JsonObject | undefined> {
    const answer = toObject(await this.call("close_diff", { tab_name: tab }));
    const { success, already_closed, tab_name, message } = answer;
    const isRight =
      [success, already_closed].every((one) => typeof one === "boolean") &&
      [tab_name, message].every((one) => typeof one === "string");
    return isRight ? answer : undefined;
  }

  /** Calls a tool: "Results are JSON in one text item" (5). */
  async call(name: string, args: object = {}): Promise<unknown> {
    const result = await this.#request("tools/call", { name, arguments: args });
    const [text = ""] = textItems(result);
    return parseJson(text)?.value;
  }

  /** "`DELETE` on disconnect" (5). */
  async exit(): Promise<void> {
    this.#hasExited = true;
    for (const watcher of this.#watchers.splice(0)) watcher.close();
    if (this.#mcpSession !== undefined && this.state === "connected") {
      await this.#send("DELETE").catch(() => undefined);
    }
    this.vanish();
  }

  /** Ends without closing anything, like a killed process. */
  vanish(): void {
    this.#hasExited = true;
    for (const watcher of this.#watchers.splice(0)) watcher.close();
    this.#stream?.destroy();
  }

  /** "deleting/renaming the lock = disconnect" (5); a new one is connected to (2: "0.3 s after the new lock file"). */
  async #changed(name: string | null): Promise<void> {
    if (this.#hasExited) return;
    if (this.#lock !== undefined && name === basename(this.#lock.file)) {
      const isThere = (await findLocks(this.#options)).some(
        ({ file }) => file === this.#lock?.file,
      );
      if (!isThere) this.#disconnect("lock file deleted");
    }
    await sleep(100);
    if (this.#lock === undefined) await this.#tryConnect();
  }

  async #tryConnect(): Promise<void> {
    if (this.#isConnecting || this.#hasExited || this.#lock !== undefined) return;
    this.#isConnecting = true;
    try {
      const [lock] = await findLocks(this.#options);
      if (lock === undefined) return;
      this.#lock = lock;
      await this.#connect();
      this.#retries = 0;
    } catch (error) {
      this.#disconnect(String(error));
    } finally {
      this.#isConnecting = false;
    }
    if (this.#lock === undefined) this.#retryLater();
  }

  #retryLater(): void {
    if (this.#hasExited || this.#retries >= MAX_RETRIES) return;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** this.#retries, MAX_RETRY_MS);
    this.#retries += 1;
    const timer = setTimeout(
      () => void this.#tryConnect(),
      delayMs * (this.#options.retryFactor ?? 1),
    );
    timer.unref();
  }

  #disconnect(problem: string): void {
    this.problem = problem;
    this.state = "disconnected";
    this.selection = undefined;
    this.#lock = undefined;
    this.#mcpSession = undefined;
    this.#stream?.destroy();
    this.#stream = undefined;
  }

  /** "first `server/discover` (2026-07-28, everything in `_meta`), then `initialize` 2025-11-25" (5). */
  async #connect(): Promise<void> {
    const clientInfo = { name: "copilot-cli", version: "1.0.102" };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const discovered = await this.#request("server/discover", { _meta }).catch(() => undefined);
    if (discovered !== undefined) {
      // "Copilot goes stateless, opens **no** GET stream, and selection pushes never arrive" (0).
      this.state = "stateless";
      return;
    }
    this.handshakes += 1;
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await this.#request("initialize", initialize);
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await this.#listen();
    const { tools } = await this.#request("tools/list", {});
    this.tools.length = 0;
    for (const tool of Array.isArray(tools) ? tools : []) this.tools.push(String(tool.name));
    this.state = "connected";
  }

  async #listen(): Promise<void> {
    const response = await this.#send("GET");
    if (response.statusCode !== 200)
      throw new Error(`the stream is refused: ${response.statusCode}`);
    this.#stream = response;
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (more: string) => {
      const events = (text + more).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#event(event);
    });
    response.on("error", () => undefined);
    response.on("close", () => {
      if (this.#stream !== response || this.#hasExited) return;
      this.#disconnect("client");
      this.#retryLater();
    });
  }

  #event(event: string): void {
    const data = /^data: ?(.*)$/m.exec(event)?.[1];
    const { method, params } = toObject(parseJson(data ?? "")?.value);
    if (typeof method !== "string" || !isObject(params)) return;
    this.notifications.push({ method, params });
    if (method === "selection_changed" && isSelection(params)) {
      this.selection = params as unknown as CopilotSelection;
    }
    const isMention = method === "add_file_reference" || method === "add_selection";
    if (isMention && isReference(params)) this.input += toInput(params);
  }

  async #request(method: string, params: object): Promise<JsonObject> {
    this.#ids += 1;
    const response = await this.#post({ jsonrpc: "2.0", id: this.#ids, method, params });
    const { result, error } = toObject(parseJson(response)?.value);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return toObject(result);
  }

  async #post(message: object): Promise<string> {
    const response = await this.#send("POST", JSON.stringify(message));
    const session = response.headers["mcp-session-id"];
    if (typeof session === "string") this.#mcpSession = session;
    let text = "";
    response.setEncoding("utf8");
    for await (const piece of response) text += piece as string;
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${response.statusCode} ${text}`);
    const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
    return isStream ? (/^data: ?(.+)$/m.exec(text)?.[1] ?? "") : text;
  }

  /** "`host: localhost` (no port!), `transfer-encoding: chunked`, `X-Copilot-Session-Id`, …" (5). */
  #send(method: string, body?: string): Promise<IncomingMessage> {
    const { socketPath, headers = {} } = this.#lock ?? {};
    if (socketPath === undefined) throw new Error("no editor is connected");
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ socketPath, path: "/mcp", method },
          headers: {
            ...headers,
            host: "localhost",
            accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
            ...(body !== undefined && {
              "content-type": "application/json",
              "transfer-encoding": "chunked",
            }),
            // "No `mcp-protocol-version` header was sent after init" (5).
            ...(this.#mcpSession !== undefined && { "mcp-session-id": this.#mcpSession }),
            "x-copilot-session-id": this.sessionId,
            "x-copilot-pid": String(this.#options.pid ?? process.pid),
            "x-copilot-parent-pid": String(process.ppid),
          },
        },
        resolve,
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }
}

function toInput({ filePath, selection }: JsonObject): string {
  const { start, end } = toObject(selection);
  if (selection === null) return `@${String(filePath)} `;
  const [first, last] = [start, end].map((one) => Number(toObject(one)["line"]) + 1);
  return first === last
    ? `@${String(filePath)}:${first} `
    : `@${String(filePath)}:${first}-${last} `;
}
