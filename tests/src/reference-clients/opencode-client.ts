import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RawData } from "ws";
import { WebSocket } from "ws";
import { containsCwd } from "./claude-discovery.ts";
import type { OpencodeContext, OpencodeMention } from "./opencode-notes.ts";
import { opencodeNotes, readOpencodeMention, readOpencodeSelection } from "./opencode-notes.ts";
import { Transcript, until } from "./transcript.ts";
import type { WireMessage } from "./wire.ts";
import { isObject, parseJson, sleep } from "./wire.ts";

export interface OpencodeClientOptions {
  readonly env: { readonly HOME: string } & Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The second variable that names a port; `OPENCODE_EDITOR_SSE_PORT` by default (other-agents, 1). */
  readonly portVariable?: string;
  /** Scales the waits of 1, 2, 4, 8, 10, 10 ... seconds. */
  readonly retryFactor?: number;
}

interface Target {
  readonly port: number;
  readonly token: string | undefined;
}

const retryDelaysMs = [1000, 2000, 4000, 8000, 10_000];
/** The id of its only request; replies are matched only by this number. */
const initializeId = 1;

/** Models opencode 1.18.33 as a client of the same lock files and sockets. */
export class OpencodeClient {
  readonly transcript = new Transcript();
  readonly mentions: OpencodeMention[] = [];
  context: OpencodeContext | undefined;
  pingFrames = 0;
  tries = 0;
  readonly #options: OpencodeClientOptions;
  #socket: WebSocket | undefined;
  #state = "searching";
  #ended = false;

  private constructor(options: OpencodeClientOptions) {
    this.#options = options;
  }

  static start(options: OpencodeClientOptions): OpencodeClient {
    const client = new OpencodeClient(options);
    void client.#run();
    return client;
  }

  get state(): string {
    return this.#state;
  }

  get violations(): Transcript["violations"] {
    return this.transcript.violations;
  }

  /** The context of a prompt for the model; it remains for the next one. */
  prompt(): readonly string[] {
    return this.context ? opencodeNotes(this.context) : [];
  }

  until<T>(what: string, check: () => T | undefined | false, timeoutMs?: number): Promise<T> {
    const context = () =>
      ` (state ${this.#state}) ${JSON.stringify(this.transcript.entries.slice(-8))}`;
    return until(what, check, timeoutMs, context);
  }

  async untilReady(timeoutMs?: number): Promise<void> {
    await this.until("connected", () => this.#state === "ready", timeoutMs);
  }

  exit(): void {
    this.#ended = true;
    this.#socket?.close();
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#ended; round++) {
      const target = this.#target();
      if (target) {
        this.tries++;
        const wasReady = await this.#session(target);
        if (wasReady) round = 0;
      }
      const delayMs = retryDelaysMs[Math.min(round, retryDelaysMs.length - 1)] ?? 0;
      await sleep(delayMs * (this.#options.retryFactor ?? 1));
    }
  }

  /** A port in the environment skips the lock file, and with it the token. */
  #target(): Target | undefined {
    const { env, cwd, portVariable = "OPENCODE_EDITOR_SSE_PORT" } = this.#options;
    const port = Number(env["CLAUDE_CODE_SSE_PORT"] ?? env[portVariable]);
    if (port > 0) return { port, token: undefined };
    return chooseOpencodeLock(env.HOME, cwd);
  }

  /** Uses a socket until it closes; returns whether the handshake was completed. */
  #session(target: Target): Promise<boolean> {
    this.transcript.connection++;
    this.#enter("connecting", String(target.port));
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}`, {
      perMessageDeflate: true,
      headers:
        target.token === undefined ? {} : { "x-claude-code-ide-authorization": target.token },
    });
    this.#socket = socket;
    let ready = false;
    socket.on("open", () => {
      this.#send({
        jsonrpc: "2.0",
        id: initializeId,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "opencode", version: "0.0.0" },
        },
      });
    });
    socket.on("ping", () => this.pingFrames++);
    socket.on("error", () => undefined);
    socket.on("message", (data, isBinary) => {
      if (this.#receive(data, isBinary, ready)) ready = true;
    });
    return new Promise((done) => {
      socket.on("close", (code) => {
        this.#enter(this.#ended ? "closed" : "lost", String(code));
        done(ready);
      });
    });
  }

  /** Returns whether the frame completes the handshake. */
  #receive(data: RawData, isBinary: boolean, ready: boolean): boolean {
    const frame = parseJson(String(data))?.value;
    if (isBinary || !isObject(frame)) {
      this.transcript.add({ kind: "dropped", frame: String(data), reason: "unparsable" });
      this.transcript.violate(isBinary ? "binary-frame" : "not-json", String(data).slice(0, 200));
      return false;
    }
    this.transcript.add({ kind: "in", frame });
    if (!ready && frame["id"] === initializeId) return this.#onInitialized(frame);
    if (typeof frame["method"] === "string") this.#apply(frame);
    else this.#drop(frame, "unknown-id");
    return false;
  }

  #onInitialized(frame: WireMessage): boolean {
    if (frame.method !== undefined) {
      this.transcript.violate("request-taken-for-reply", String(frame.method));
    } else if (!isObject(frame.result)) {
      this.transcript.violate("initialize-refused", JSON.stringify(frame));
    }
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.#enter("ready", "");
    return true;
  }

  #apply(frame: WireMessage): void {
    if (frame.method === "selection_changed") {
      const context = readOpencodeSelection(frame.params);
      if (context) this.context = context;
      else this.#drop(frame, "schema");
    } else if (frame.method === "at_mentioned") {
      const mention = readOpencodeMention(frame.params);
      if (mention) this.mentions.push(mention);
      else this.#drop(frame, "schema");
    } else {
      this.#drop(frame, frame.id === undefined ? "unknown-method" : "ignored");
    }
  }

  #drop(frame: WireMessage, reason: "schema" | "ignored" | "unknown-method" | "unknown-id"): void {
    this.transcript.add({ kind: "dropped", frame, reason });
  }

  #send(frame: WireMessage): void {
    this.transcript.add({ kind: "out", frame });
    this.#socket?.send(JSON.stringify(frame));
  }

  #enter(state: string, detail: string): void {
    this.#state = state;
    this.transcript.add({ kind: "state", state, detail });
  }
}

/** The longest folder that contains the cwd, then the newest file; liveness is not checked. */
function chooseOpencodeLock(home: string, cwd: string): Target | undefined {
  const folder = join(home, ".claude", "ide");
  const found = readNames(folder).flatMap((name) => {
    const port = Number(/^(\d+)\.lock$/.exec(name)?.[1]);
    if (!(port >= 1 && port <= 65535)) return [];
    const lock = readLock(join(folder, name), cwd);
    return lock ? [{ port, ...lock }] : [];
  });
  found.sort((a, b) => b.folder.length - a.folder.length || b.mtimeMs - a.mtimeMs);
  return found[0];
}

function readLock(path: string, cwd: string) {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isObject(value)) return undefined;
    const { transport, workspaceFolders, authToken } = value;
    if (transport !== undefined && transport !== "ws") return undefined;
    const folders = Array.isArray(workspaceFolders) ? workspaceFolders : [];
    const matching = folders
      .filter((folder: unknown) => typeof folder === "string")
      .map((folder) => resolve(folder))
      .filter((folder) => containsCwd(folder, cwd))
      .sort((a, b) => b.length - a.length);
    const token = typeof authToken === "string" ? authToken : undefined;
    const best = matching[0];
    return best === undefined
      ? undefined
      : { folder: best, token, mtimeMs: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
