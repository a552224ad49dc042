import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { until } from "./transcript.ts";
import { isObject, type JsonObject, parseJson, sleep, textItems, toObject } from "./wire.ts";

export interface GeminiClientOptions {
  readonly env: { readonly HOME: string; readonly TMPDIR: string };
  readonly cwd: string;
  /** Scales the waits before a stream is opened again. */
  readonly retryFactor?: number;
  /** Delays the stream, as a busy machine does. */
  readonly streamDelayMs?: number;
  /** Delays the handling of the handshake's answers, as a busy machine does. */
  readonly handshakeDelayMs?: number;
  /** "10-minute request timeout" (2). */
  readonly requestMs?: number;
  /** Replaces the limit of its profile. */
  readonly connectMs?: number;
}

/** Where a server was found. */
export interface GeminiTarget {
  readonly file: string;
  readonly port: number;
  readonly token: string;
}

/** The differences between the two agents of the family. */
export interface GeminiProfile {
  readonly find: (options: GeminiClientOptions) => GeminiTarget | undefined;
  readonly protocolVersion: string;
  readonly version: string;
  /** The limit for its start; none if undefined. */
  readonly connectMs?: number;
}

/** "protocolVersion sent: 2025-06-18"; "clientInfo: streamable-http-client 0.61.0" (other-agents, 1). */
export const geminiProfile: GeminiProfile = {
  find: findForGemini,
  protocolVersion: "2025-06-18",
  version: "0.61.0",
};

/** "protocolVersion 2025-11-25, clientInfo.version fixed "1.0.0"" (other-agents, 3). */
export const qwenProfile: GeminiProfile = {
  find: findForQwen,
  protocolVersion: "2025-11-25",
  version: "1.0.0",
  // "it stopped trying 15 s after its start ("… ide_connect timed out after 15000ms")" (3).
  connectMs: 15_000,
};

/** A file in `ide/contextUpdate`. */
export interface GeminiFile {
  readonly path: string;
  readonly timestamp: number;
  readonly isActive?: boolean;
  readonly cursor?: { readonly line: number; readonly character: number };
  readonly selectedText?: string;
}

/** How a diff ended for the agent. */
export type GeminiAnswer =
  | { readonly status: "accepted"; readonly content: string | undefined }
  | { readonly status: "rejected" };

/** "a message that it cannot parse": the SDK knows requests, notifications and answers (2). */
const REQUEST_MS = 600_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRIES = 2;

/** Plays Gemini CLI 0.61.0, or Qwen Code 0.24.4, as a client of an editor. */
export class GeminiClient {
  /** "CLI keeps only the newest file's cursor/selection (and only if `isActive`), 10 files" (2). */
  openFiles: readonly GeminiFile[] = [];
  isTrusted: boolean | undefined;
  /** The notifications that it has received, in order. */
  readonly notifications: { readonly method: string; readonly params: JsonObject }[] = [];
  readonly tools: string[] = [];
  tries = 0;
  state: "searching" | "connected" | "disconnected" = "searching";
  /** The reason why it is disconnected. */
  problem = "";
  readonly #options: GeminiClientOptions;
  readonly #profile: GeminiProfile;
  readonly #diffs = new Map<string, (answer: GeminiAnswer) => void>();
  #lastDiff: Promise<unknown> = Promise.resolve();
  readonly #ended = new AbortController();
  /** Aborts the stream and the requests of a connection. */
  #cut = new AbortController();
  #target: GeminiTarget | undefined;
  #sessionId: string | undefined;
  #revision: string | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #ids = 0;
  #hasHandlers = false;

  constructor(profile: GeminiProfile, options: GeminiClientOptions) {
    this.#profile = profile;
    this.#options = options;
  }

  /** `/ide enable`, or the start with the setting; returns whether it has connected. */
  async enable(): Promise<boolean> {
    this.state = "searching";
    this.#sessionId = undefined;
    this.#revision = undefined;
    this.#target = this.#profile.find(this.#options);
    if (this.#target === undefined) return false;
    this.#cut = new AbortController();
    try {
      await this.#inTime(this.#connect());
      return true;
    } catch (error) {
      // "cut its stream and stayed without context and diffs, although its handshake had gone through" (3).
      this.#cut.abort();
      this.#disconnect(String(error));
      return false;
    }
  }

  async #inTime(connecting: Promise<void>): Promise<void> {
    const limitMs = this.#options.connectMs ?? this.#profile.connectMs;
    if (limitMs === undefined) return connecting;
    const late = new AbortController();
    const limit = new Promise<never>((_, reject) => {
      const giveUp = () => reject(new Error(`ide_connect timed out after ${limitMs}ms`));
      const timer = setTimeout(giveUp, limitMs);
      late.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    await Promise.race([connecting, limit]).finally(() => late.abort());
  }

  until<T>(what: string, check: () => T | undefined | false, timeoutMs?: number): Promise<T> {
    const context = () => ` (${this.state} ${this.problem}) ${JSON.stringify(this.notifications)}`;
    return until(what, check, timeoutMs, context);
  }

  /** "Needs **both** `openDiff` and `closeDiff` in tools/list or diffs are off" (2). */
  get hasDiffs(): boolean {
    const isListed = ["openDiff", "closeDiff"].every((name) => this.tools.includes(name));
    return this.state === "connected" && isListed;
  }

  /** The active file, as in the prompt. */
  get active(): GeminiFile | undefined {
    return this.openFiles.find(({ isActive }) => isActive === true);
  }

  /** Proposes a text once the previous diff has ended: "One diff at a time (client mutex)" (2). */
  openDiff(filePath: string, newContent: string): Promise<GeminiAnswer> {
    const answer = this.#lastDiff.then(() => this.propose(filePath, newContent));
    this.#lastDiff = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Proposes a text at once, as only a hostile agent does while another diff is pending:
   * "`openDiff{filePath,newContent}` → must answer `content: []`" (2).
   */
  async propose(filePath: string, newContent: string): Promise<GeminiAnswer> {
    if (!this.hasDiffs) throw new Error("diffs are off");
    const answer = new Promise<GeminiAnswer>((resolve) => this.#diffs.set(filePath, resolve));
    const result = await this.#call("openDiff", { filePath, newContent });
    if (result["isError"] === true) throw new Error(textItems(result).join());
    if (JSON.stringify(result["content"]) !== "[]") throw new Error("openDiff: content is no []");
    return answer;
  }

  /**
   * "Terminal answer → `closeDiff{filePath,suppressNotification:true}`, whose result must be text JSON
   * `{"content": "…"}`" (2).
   */
  async answerInTerminal(filePath: string, isAccepted: boolean): Promise<string | undefined> {
    const result = await this.#call("closeDiff", { filePath, suppressNotification: true });
    const [text = ""] = textItems(result);
    const { content } = toObject(parseJson(text)?.value);
    const kept = typeof content === "string" ? content : undefined;
    this.#diffs.get(filePath)?.(
      isAccepted ? { status: "accepted", content: kept } : { status: "rejected" },
    );
    this.#diffs.delete(filePath);
    return kept;
  }

  exit(): void {
    this.#ended.abort();
  }

  /** Breaks the stream, as a network failure does. */
  async reconnectStream(): Promise<void> {
    await this.#listen(false);
  }

  /** "POST initialize → POST notifications/initialized → GET (SSE) → POST tools/list" (2). */
  async #connect(): Promise<void> {
    const { protocolVersion, version } = this.#profile;
    const clientInfo = { name: "streamable-http-client", version };
    const initialize = { protocolVersion, capabilities: {}, clientInfo };
    const { protocolVersion: agreed } = await this.#request("initialize", initialize);
    // "an unknown version (`2099-01-01`) kills the connection silently" (2).
    if (typeof agreed !== "string" || agreed > "2025-12") throw new Error(`revision ${agreed}`);
    this.#revision = agreed;
    await sleep(this.#options.handshakeDelayMs ?? 0);
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
    // "the GET is opened, not awaited" (2, Order and errors).
    void sleep(this.#options.streamDelayMs ?? 0).then(() => this.#listen(false));
    this.#hasHandlers = true;
    const { tools } = await this.#request("tools/list", {});
    this.tools.length = 0;
    for (const tool of Array.isArray(tools) ? tools : []) this.tools.push(String(tool.name));
    this.state = "connected";
  }

  /** "the SDK's stream (GET again after 1 s, ×1.5, twice, with the old session id and `Last-Event-ID`" (2). */
  async #listen(isReturn: boolean, round = 0): Promise<void> {
    try {
      const response = await this.#fetch({
        method: "GET",
        headers: {
          accept: "text/event-stream",
          ...(isReturn &&
            this.#lastEventId !== undefined && { "last-event-id": this.#lastEventId }),
        },
      });
      if (!response.ok) throw new Error(`the stream is refused: ${response.status}`);
      await this.#read(response);
    } catch (error) {
      // "Any `onerror` of the SDK's client … clears the context and turns diffs off until `/ide enable`" (2).
      this.#disconnect(String(error));
      if (this.#isCut || round >= MAX_RETRIES) return;
      await this.#wait(round);
      return this.#listen(true, round + 1);
    }
    if (this.#isCut) return;
    // A stream that ends normally is opened again without an error.
    await this.#wait(0);
    return this.#listen(true, 1);
  }

  get #isCut(): boolean {
    return this.#ended.signal.aborted || this.#cut.signal.aborted;
  }

  /** "an SSE `retry:` of the server replaces the delay" (2). */
  #wait(round: number): Promise<void> {
    const delayMs = this.#retryMs ?? FIRST_RETRY_MS * 1.5 ** round;
    return sleep(delayMs * (this.#options.retryFactor ?? 1));
  }

  async #read(response: Response): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      const more = decoder.decode(piece, { stream: true });
      text += more;
      if (!text.slice(-more.length - 1).includes("\n\n")) continue;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#event(event);
    }
  }

  #event(event: string): void {
    let data: string | undefined;
    for (const line of event.split("\n")) {
      const [, field, value = ""] = /^(\w*): ?(.*)$/s.exec(line) ?? [];
      if (field === "id") this.#lastEventId = value;
      if (field === "retry") this.#retryMs = Number(value);
      if (field === "data") data = value;
    }
    if (data !== undefined) this.#take(data);
  }

  #take(data: string): void {
    const parsed = parseJson(data);
    const message = toObject(parsed?.value);
    const { method, params, id } = message;
    if (message["jsonrpc"] !== "2.0" || typeof method !== "string") {
      throw new Error(`it cannot parse ${data.slice(0, 80)}`);
    }
    // Requests are answered, those of an unknown method with an error.
    if (id !== undefined) throw new Error(`it was asked ${method}`);
    if (!this.#hasHandlers || !isObject(params)) return;
    this.notifications.push({ method, params });
    if (method === "ide/contextUpdate") this.#update(params);
    const filePath = String(params["filePath"]);
    const settle = this.#diffs.get(filePath);
    if (method === "ide/diffAccepted") {
      settle?.({ status: "accepted", content: String(params["content"]) });
    } else if (method === "ide/diffRejected") settle?.({ status: "rejected" });
    if (method.startsWith("ide/diff")) this.#diffs.delete(filePath);
  }

  /** "sorted by timestamp; 10 files, 16 384 chars then `... [TRUNCATED]`" (2). */
  #update(params: JsonObject): void {
    const { openFiles, isTrusted } = toObject(params["workspaceState"]);
    if (!Array.isArray(openFiles)) throw new Error("openFiles is no list");
    const files = [...(openFiles as GeminiFile[])].sort((a, b) => b.timestamp - a.timestamp);
    const [newest, ...rest] = files.slice(0, 10);
    const others = rest.map(({ path, timestamp }) => ({ path, timestamp }));
    const first =
      newest?.isActive === true
        ? newest
        : newest && { path: newest.path, timestamp: newest.timestamp };
    this.openFiles = first === undefined ? [] : [first, ...others];
    this.isTrusted = isTrusted === true;
  }

  #disconnect(problem: string): void {
    if (this.state !== "disconnected") this.problem = problem;
    this.state = "disconnected";
    this.openFiles = [];
  }

  async #call(name: string, args: object): Promise<JsonObject> {
    return this.#request("tools/call", { name, arguments: args });
  }

  async #request(method: string, params: object): Promise<JsonObject> {
    this.#ids += 1;
    const id = this.#ids;
    const limit = AbortSignal.timeout(this.#options.requestMs ?? REQUEST_MS);
    const response = await this.#post({ jsonrpc: "2.0", id, method, params }, limit);
    const { result, error } = toObject(await response.json());
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return toObject(result);
  }

  async #post(message: object, limit?: AbortSignal): Promise<Response> {
    this.tries += 1;
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const body = JSON.stringify(message);
    const response = await this.#fetch({ method: "POST", headers, body }, limit);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    this.#sessionId = response.headers.get("mcp-session-id") ?? this.#sessionId;
    return response;
  }

  /** "Headers: `authorization: Bearer`, `mcp-session-id`, `mcp-protocol-version` after init" (2). */
  #fetch(
    init: { method: string; headers: Record<string, string>; body?: string },
    limit?: AbortSignal,
  ): Promise<Response> {
    if (this.#target === undefined) throw new Error("no server was found");
    const { port, token } = this.#target;
    return fetch(`http://127.0.0.1:${port}/mcp`, {
      ...init,
      signal: AbortSignal.any([this.#ended.signal, this.#cut.signal, ...(limit ? [limit] : [])]),
      headers: {
        ...init.headers,
        authorization: `Bearer ${token}`,
        "user-agent": "undici",
        ...(this.#sessionId !== undefined && { "mcp-session-id": this.#sessionId }),
        ...(this.#revision !== undefined && { "mcp-protocol-version": this.#revision }),
      },
    });
  }
}

/** "Directory scan order: exact IDE pid, then live pids, then larger pid; must be owned by the same uid" (2). */
function findForGemini({ env, cwd }: GeminiClientOptions): GeminiTarget | undefined {
  const folder = join(env.TMPDIR, "gemini", "ide");
  const named = list(folder).flatMap((name) => {
    const [, pid] = /^gemini-ide-server-(\d+)(?:-\d+)?\.json$/.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid) }];
  });
  const files = named
    .sort((a, b) => Number(isAlive(b.pid)) - Number(isAlive(a.pid)) || b.pid - a.pid)
    .map(({ name }) => join(folder, name))
    .filter((file) => statSync(file).uid === process.getuid?.());
  return choose(files, cwd, (text) => text.split(delimiter));
}

/**
 * "scans all `^\d+\.lock$` newest mtime first, **deleting** a file whose `ppid` is dead (no `ppid` and a
 * `workspacePath` that does not exist → also deleted)"; "`workspacePath` may also be a JSON array" (3).
 */
function findForQwen({ env, cwd }: GeminiClientOptions): GeminiTarget | undefined {
  const folder = join(env.HOME, ".qwen", "ide");
  const files = list(folder)
    .filter((name) => /^\d+\.lock$/.test(name))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .filter((file) => {
      const { ppid, workspacePath } = toObject(parseJson(readFileSync(file, "utf8"))?.value);
      const isDead =
        typeof ppid === "number" ? !isAlive(ppid) : realOf(String(workspacePath)) === undefined;
      if (isDead) rmSync(file);
      return !isDead;
    });
  return choose(files, cwd, (text) => {
    const parsed = parseJson(text)?.value;
    return Array.isArray(parsed) ? parsed.map(String) : text.split(delimiter);
  });
}

function choose(
  files: readonly string[],
  cwd: string,
  split: (text: string) => readonly string[],
): GeminiTarget | undefined {
  for (const file of files) {
    const { port, workspacePath, authToken, ideInfo } = toObject(
      parseJson(readFileSync(file, "utf8"))?.value,
    );
    // "**`ideInfo` needed**" outside the terminals that it knows (2, 3).
    const { name, displayName } = toObject(ideInfo);
    if (typeof name !== "string" || typeof displayName !== "string") continue;
    if (typeof port !== "number" || typeof authToken !== "string") continue;
    // "cwd must be inside one of `workspacePath` after realpath" (2).
    const real = realpathSync(cwd);
    const holds = split(String(workspacePath)).some((one) => {
      const root = realOf(one);
      return root !== undefined && (real === root || real.startsWith(root + sep));
    });
    if (holds) return { file, port, token: authToken };
  }
  return undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
