import { dial } from "./claude-dial.ts";
import { ClaudeLink } from "./claude-link.ts";
import type { ClaudeProfile } from "./claude-profile.ts";
import { acceptedRevisions, initializeParams } from "./claude-profile.ts";
import type { Transcript } from "./transcript.ts";
import type { JsonObject, WireMessage } from "./wire.ts";
import { isObject, sleep, toObject } from "./wire.ts";

/** Notifications are lost until this long after the first round of list requests. */
const handlerDelayMs = 30;
/** The fixed wait before the first attempt. */
export const FIRST_RETRY_MS = 6;
/** The waits before the five attempts; the first is immediate. */
const retryDelaysMs = [FIRST_RETRY_MS, 1000, 2000, 4000, 8000];
const listChanged = /^notifications\/(tools|prompts|resources)\/list_changed$/;
/** A server of this name gets no baselines, so no other server may use it. */
export const jetbrainsName = "Claude Code JetBrains Plugin";

export interface ConnectionOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly profile: ClaudeProfile;
  readonly pid: number;
  readonly retryFactor: number;
  readonly moreTries: number;
  readonly connectTimeoutMs: number;
  readonly lenient: boolean;
  readonly transcript: Transcript;
  readonly onNotification: (method: string, params: unknown, frame: WireMessage) => void;
  readonly onRequest: (frame: WireMessage) => JsonObject | undefined;
  readonly onLost: () => void;
}

/** An editor, reached by its first address and first token during the client's lifetime. */
export class ClaudeConnection {
  link: ClaudeLink | undefined;
  serverName = "";
  instructions = "";
  tools: readonly string[] = [];
  /** The last close code of the server. */
  lastCloseCode: number | undefined;
  readonly #options: ConnectionOptions;
  /** The socket whose notifications have handlers. */
  #hearing: ClaudeLink | undefined;
  /** The time of the list requests of this connection. */
  #listedMs = Number.POSITIVE_INFINITY;
  #ended = false;
  #state = "new";

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get state(): string {
    return this.#state;
  }

  get ready(): boolean {
    return this.#state === "ready" && this.link?.open === true;
  }

  /** The first connection: a single attempt. */
  async open(): Promise<void> {
    const outcome = await this.#connect();
    if (outcome.startsWith("unreachable: connect ECONNREFUSED")) {
      this.#options.transcript.violate("lock-before-listen", outcome);
    }
    if (outcome !== "ready") this.#enter("failed", outcome);
  }

  async exit(): Promise<void> {
    this.#ended = true;
    const { link } = this;
    if (link?.open) {
      link.close();
      await link.closed;
    }
    this.#enter("closed");
  }

  /** `ready`, or the reason of the failure. */
  async #connect(): Promise<string> {
    const { transcript, profile, url, token, connectTimeoutMs: timeoutMs } = this.#options;
    transcript.connection++;
    this.#hearing = undefined;
    this.#listedMs = Number.POSITIVE_INFINITY;
    this.#enter("connecting", url);
    const outcome = await dial({ url, token, userAgent: profile.userAgent, timeoutMs });
    if (outcome.kind === "no-subprotocol") transcript.violate("subprotocol", outcome.detail);
    if (outcome.kind === "refused") return `refused with ${outcome.status}`;
    if (outcome.kind !== "open") return `${outcome.kind}: ${outcome.detail}`;
    if (this.#ended) {
      outcome.socket.terminate();
      return "ended";
    }
    const link = new ClaudeLink(
      outcome.socket,
      transcript,
      {
        notification: (method, params, frame) => this.#receive(method, params, frame),
        request: (frame) => this.#options.onRequest(frame),
      },
      profile.progressToken,
    );
    this.link = link;
    const problem = await this.#handshake(link);
    if (problem !== undefined) {
      link.close();
      await link.closed;
      return problem;
    }
    this.#enter("ready");
    void link.closed.then((code) => this.#onClosed(code));
    return "ready";
  }

  async #handshake(link: ClaudeLink): Promise<string | undefined> {
    const { transcript, profile, pid } = this.#options;
    const reply = await link.request("initialize", initializeParams(profile)).reply;
    if (reply.kind === "lost") return `closed with ${await link.closed} during the handshake`;
    if (reply.kind === "error") {
      transcript.violate("initialize-refused", JSON.stringify(reply.error));
      return "initialize refused";
    }
    const { protocolVersion, capabilities, serverInfo, instructions } = toObject(reply.result);
    if (typeof protocolVersion !== "string" || !acceptedRevisions.includes(protocolVersion)) {
      transcript.violate("protocol-version", `${JSON.stringify(protocolVersion)} is not known`);
      return "protocol version";
    }
    const { name, version } = toObject(serverInfo);
    if (typeof name !== "string" || typeof version !== "string" || !isObject(capabilities)) {
      transcript.violate("initialize-shape", "serverInfo and capabilities must be there");
    }
    if (name === jetbrainsName) transcript.violate("forbidden-server-name", jetbrainsName);
    this.serverName = typeof name === "string" ? name : "";
    this.instructions = typeof instructions === "string" ? instructions : "";
    link.notify("notifications/initialized");
    link.notify("ide_connected", { pid });
    const offered = toObject(capabilities);
    if ("tools" in offered) this.#listTools(link);
    if ("prompts" in offered) this.#list(link, "prompts/list");
    if ("resources" in offered) this.#list(link, "resources/list");
    void this.#listen(link);
    return undefined;
  }

  /** Ends the deaf window; its frames are lost even if a busy machine reads them later. */
  async #listen(link: ClaudeLink): Promise<void> {
    this.#listedMs = performance.now();
    await sleep(handlerDelayMs);
    for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
    this.#hearing = link;
  }

  #list(link: ClaudeLink, method: string): void {
    const { reply } = link.request(method);
    void reply.then((answer) => {
      if (answer.kind !== "error") return;
      this.#options.transcript.violate(
        "list-refused",
        `${method}: ${JSON.stringify(answer.error)}`,
      );
    });
  }

  #listTools(link: ClaudeLink): void {
    const { reply } = link.request("tools/list");
    void reply.then((answer) => {
      if (answer.kind === "lost") return;
      const { tools } = toObject(answer.kind === "result" ? answer.result : undefined);
      if (!Array.isArray(tools)) {
        this.#options.transcript.violate("tools-list", "no array of tools");
        return;
      }
      this.tools = tools.map((tool: unknown) => this.#toolName(tool));
    });
  }

  #toolName(tool: unknown): string {
    const { name, inputSchema } = toObject(tool);
    if (typeof name !== "string" || toObject(inputSchema)["type"] !== "object") {
      this.#options.transcript.violate("tools-list", `not a tool: ${JSON.stringify(tool)}`);
    }
    return String(name);
  }

  #receive(method: string, params: unknown, frame: WireMessage): void {
    const { transcript, onNotification } = this.#options;
    if (this.#isDeaf()) {
      transcript.add({ kind: "dropped", frame, reason: "deaf" });
      return;
    }
    const kind = listChanged.exec(method)?.[1];
    const { link } = this;
    if (kind === undefined || !link) onNotification(method, params, frame);
    else if (kind === "tools") this.#listTools(link);
    else this.#list(link, `${kind}/list`);
    if (kind === "resources" && link) this.#list(link, "resources/templates/list");
  }

  #isDeaf(): boolean {
    if (this.#hearing === this.link) return false;
    return !this.#options.lenient || performance.now() - this.#listedMs < handlerDelayMs;
  }

  async #onClosed(code: number): Promise<void> {
    this.lastCloseCode = code;
    if (this.#ended) return;
    this.#enter("lost", String(code));
    this.#options.onLost();
    const { profile, retryFactor, moreTries } = this.#options;
    const delays = profile.reconnects ? [...retryDelaysMs, ...Array(moreTries).fill(8000)] : [];
    for (const delayMs of delays) {
      await sleep(delayMs === FIRST_RETRY_MS ? delayMs : delayMs * retryFactor);
      if (this.#ended) return;
      this.#enter("retry");
      if ((await this.#connect()) === "ready") return;
    }
    if (!this.#ended) this.#enter("gave-up", `${delays.length} tries`);
  }

  #enter(state: string, detail = ""): void {
    this.#state = state;
    this.#options.transcript.add({ kind: "state", state, detail });
  }
}
