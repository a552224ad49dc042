import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { createToken } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { inspectSource } from "@idewire/http/internal";
import type { FoundEditor } from "@idewire/node-server";
import {
  codeOf,
  discoveryFormats,
  hasToken,
  headOnlyUnless,
  onProcessExit,
  type PublishedLockFile,
  publishLockFile,
  type Refusal,
  refuse,
  sweepLockFiles,
  UnadmittedSockets,
} from "@idewire/node-server/internal";
import type { InspectLog } from "./inspect-log.ts";
import { findAgain, type TargetOptions } from "./target.ts";
import { Tunnel } from "./tunnel.ts";
import { describeUpgrade } from "./upgrade.ts";

const LOOPBACK = "127.0.0.1";
const MAX_AGENTS = 64;
/** How many refused clients are logged: more could fill the log. */
const MAX_SHOWN = 100;
const PLAIN: Refusal = { status: 426, message: "Ask for an upgrade to WebSocket" };
const ENDPOINT = { allowedHosts: [], allowedOrigins: [] };
/** How long an editor has to take a connection. */
const DIAL_PATIENCE_MS = 10_000;

/** What stands in front of which editor. */
export interface InspectProxyOptions {
  readonly target: FoundEditor;
  /** How the editor is found again when it has closed. */
  readonly search: TargetOptions;
  readonly log: InspectLog;
  /** Where it listens; any free port when left out. */
  readonly port?: number | undefined;
}

/**
 * A proxy between agents and an editor: it has a lock file of its own beside the editor's, and joins
 * each client that has its token to the editor, by a connection of its own. The editor's lock file
 * is only read. The caller closes it.
 */
export class InspectProxy {
  readonly #options: InspectProxyOptions;
  readonly #token: string = createToken();
  readonly #http: Server;
  readonly #tunnels = new Set<Tunnel>();
  readonly #waiting = new Set<Socket>();
  readonly #unadmitted = new UnadmittedSockets();
  #target: FoundEditor;
  #lock: PublishedLockFile | undefined;
  #forgetExit: () => void = () => {};
  #isAway = false;
  #turnedAway = 0;

  private constructor(options: InspectProxyOptions) {
    this.#options = options;
    this.#target = options.target;
    options.log.hide(this.#token);
    options.log.hide(options.target.token);
    this.#http = createServer({
      ...{ headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 },
      maxHeaderSize: 8_192,
      IncomingMessage: headOnlyUnless(() => false),
    });
    this.#http.on("connection", (socket) => this.#unadmitted.add(socket));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#upgrade(request, socket as Socket, head);
    });
  }

  /** @throws IdewireError `port-in-use`, or `file-system` when the lock file cannot be written */
  static async open(options: InspectProxyOptions): Promise<InspectProxy> {
    const proxy = new InspectProxy(options);
    try {
      await proxy.#listen();
      await proxy.#publish();
    } catch (error) {
      await proxy.close();
      throw error;
    }
    return proxy;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo | null)?.port ?? 0;
  }

  get lockFile(): string {
    return this.#lock?.path ?? "";
  }

  /** The editor behind it, as it was last found. */
  get target(): FoundEditor {
    return this.#target;
  }

  async close(): Promise<void> {
    this.#lock?.remove();
    this.#forgetExit();
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    for (const socket of this.#waiting) socket.destroy();
    const tunnels = [...this.#tunnels];
    for (const tunnel of tunnels) tunnel.close();
    this.#http.closeAllConnections();
    await Promise.all(tunnels.map((tunnel) => tunnel.closed));
    await closed;
  }

  async #listen(): Promise<void> {
    const { port = 0 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", reject);
      this.#http.listen(port, LOOPBACK, resolve);
    }).catch((cause: unknown) => {
      const why = `${codeOf(cause)}; choose another, or leave it out for any free one`;
      throw new IdewireError("port-in-use", `Cannot listen on port ${port}: ${why}`, { cause });
    });
  }

  /** In the editor's own directory: agents that find the editor find this too. */
  async #publish(): Promise<void> {
    const { name, folders, lockFile, port, inWindows = false } = this.#target;
    const format = { ...discoveryFormats.claude, directory: () => dirname(lockFile) };
    await sweepLockFiles(format, {});
    this.#lock = await publishLockFile(
      format,
      {},
      {
        ...{ port: this.port, token: this.#token, folders, inspects: port },
        ...{ ideName: `${name} (inspected)`, isLocal: true, inWindows },
      },
    );
    const { log } = this.#options;
    log.append({ ev: "lock", what: "created", file: this.#lock.path });
    this.#forgetExit = onProcessExit(() => this.#lock?.remove());
  }

  /** Host, Origin and token first: a refused client costs the editor nothing. */
  #upgrade(request: IncomingMessage, agent: Socket, head: Buffer): void {
    agent.on("error", () => agent.destroy());
    const source = inspectSource(request, ENDPOINT);
    const isPlain = request.headers.upgrade === undefined;
    const refusal = source ?? (isPlain ? PLAIN : this.#inspectAgent(request));
    if (isPlain) refuse(agent, request, refusal ?? PLAIN);
    else if (refusal !== undefined) this.#turnAway(agent, request, refusal);
    else void this.#join(request, agent, head);
  }

  #inspectAgent(request: IncomingMessage): Refusal | undefined {
    if (!hasToken(request.headers, this.#token)) {
      return { status: 401, message: `The token is missing or not the one of ${this.lockFile}` };
    }
    if (this.#tunnels.size + this.#waiting.size < MAX_AGENTS) return undefined;
    return { status: 503, message: `${MAX_AGENTS} agents are connected, which is the limit` };
  }

  #turnAway(agent: Socket, request: IncomingMessage, refusal: Refusal): void {
    refuse(agent, request, refusal);
    this.#turnedAway += 1;
    if (this.#turnedAway > MAX_SHOWN) return;
    const { log } = this.#options;
    const ch = log.name();
    const { status, message } = refusal;
    const text = describeUpgrade(request);
    log.append({ ev: "control", ch, dir: "agent>ide", op: "upgrade", text });
    log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text: `HTTP ${status}` });
    const more = this.#turnedAway === MAX_SHOWN ? " Further ones are not shown." : "";
    log.print(`${ch}: turned away, and not passed on: ${message}.${more}`);
  }

  async #join(request: IncomingMessage, agent: Socket, head: Buffer): Promise<void> {
    const { log, search } = this.#options;
    const ch = log.name();
    agent.setTimeout(0);
    this.#unadmitted.delete(agent);
    this.#waiting.add(agent);
    try {
      const target = (await findAgain(this.#target, search)) ?? this.#target;
      this.#notice(target);
      const ide = await dialIde(target);
      if (agent.destroyed) {
        ide.destroy();
        return;
      }
      this.#isAway = false;
      const tunnel = new Tunnel({ agent, ide, request, head, target, ch, log });
      this.#tunnels.add(tunnel);
      void tunnel.closed.then(() => this.#tunnels.delete(tunnel));
    } catch (error) {
      const message = `${this.#target.name} does not answer on port ${this.#target.port} (${codeOf(error)})`;
      log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text: "HTTP 502" });
      const again = this.#isAway ? "It still" : "The editor";
      log.print(
        `${ch}: ${again} is not running: ${message}. It is looked for again when an agent connects.`,
      );
      this.#isAway = true;
      refuse(agent, request, { status: 502, message });
    } finally {
      this.#waiting.delete(agent);
    }
  }

  #notice(target: FoundEditor): void {
    const { log } = this.#options;
    const before = this.#target;
    this.#target = target;
    log.hide(target.token);
    if (before.lockFile === target.lockFile) return;
    log.print(`The editor is ${target.name} on port ${target.port} now.`);
  }
}

function dialIde({ host, port }: FoundEditor): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const ide = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const timer = setTimeout(() => {
      ide.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" }));
    }, DIAL_PATIENCE_MS);
    ide.once("error", reject);
    ide.once("connect", () => {
      clearTimeout(timer);
      ide.off("error", reject);
      resolve(ide);
    });
    ide.once("close", () => clearTimeout(timer));
  });
}
