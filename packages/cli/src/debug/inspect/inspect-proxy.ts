import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { claudeDiscovery, createToken } from "@idewire/core/internal";
import { inspectSource } from "@idewire/http/internal";
import {
  codeOf,
  type EditorAtPort,
  endUnadmitted,
  hasToken,
  LoopbackServer,
  onProcessExit,
  ownIdentity,
  type PublishedLockFile,
  publishLockFile,
  type Refusal,
  sweepLockFiles,
  toLastAnswer,
  type Upgrade,
  type Verdict,
} from "@idewire/node-server/internal";
import type { InspectLog } from "./inspect-log.ts";
import { findAgain, type TargetOptions } from "./target.ts";
import { FAREWELL_MS, Tunnel } from "./tunnel.ts";
import { describeUpgrade } from "./upgrade.ts";

const MAX_AGENTS = 64;
/** The number of refused clients that are logged: more could fill the log. */
const MAX_SHOWN = 100;
const PLAIN: Refusal = { status: 426, message: "Expected an upgrade to WebSocket" };
const ENDPOINT = { allowedHosts: [], allowedOrigins: [] };
/** How long an editor has to accept a connection. */
const DIAL_TIMEOUT_MS = 10_000;

/** The options of the proxy. */
export interface InspectProxyOptions {
  readonly target: EditorAtPort;
  /** How the editor is found again when it has closed. */
  readonly search: TargetOptions;
  readonly log: InspectLog;
  /** Where the proxy listens; any free port when left out. */
  readonly port?: number | undefined;
}

/**
 * A proxy between agents and an editor: it has its own lock file beside the editor's, and opens a connection to
 * the editor for each client with its token. The editor's lock file is only read. The caller closes it.
 */
export class InspectProxy {
  readonly #options: InspectProxyOptions;
  readonly #token: string = createToken();
  readonly #server: LoopbackServer<undefined>;
  readonly #tunnels = new Set<Tunnel>();
  #target: EditorAtPort;
  #lock: PublishedLockFile | undefined;
  #forgetExit: () => void = () => {};
  #isAway = false;
  #refused = 0;

  private constructor(options: InspectProxyOptions) {
    this.#options = options;
    this.#target = options.target;
    options.log.hide(this.#token);
    options.log.hide(options.target.token);
    this.#server = new LoopbackServer({
      admit: (request) => this.#admit(request),
      onupgrade: (_, upgrade) => void this.#join(upgrade),
    });
  }

  /** @throws IdewireError `port-in-use`, or `file-system` when the lock file cannot be written */
  static async open(options: InspectProxyOptions): Promise<InspectProxy> {
    const proxy = new InspectProxy(options);
    try {
      const { port } = options;
      await proxy.#server.listen(port === undefined ? {} : { port });
      await proxy.#publish();
    } catch (error) {
      await proxy.close();
      throw error;
    }
    return proxy;
  }

  get port(): number {
    return this.#server.port;
  }

  get lockFile(): string {
    return this.#lock?.path ?? "";
  }

  /** The editor behind the proxy, as last found. */
  get target(): EditorAtPort {
    return this.#target;
  }

  async close(): Promise<void> {
    this.#lock?.remove();
    this.#forgetExit();
    const tunnels = [...this.#tunnels];
    for (const tunnel of tunnels) tunnel.close();
    await this.#server.close(FAREWELL_MS);
    await Promise.all(tunnels.map((tunnel) => tunnel.closed));
  }

  /** In the editor's own directory: agents that find the editor find this too. */
  async #publish(): Promise<void> {
    const { name, folders, lockFile, port, inWindows = false } = this.#target;
    const directory = dirname(lockFile);
    const { log } = this.#options;
    await sweepLockFiles(claudeDiscovery, directory);
    this.#lock = await publishLockFile(
      claudeDiscovery,
      {
        ...{ port: this.port, token: this.#token, folders, inspects: port, process: ownIdentity() },
        ...{ ideName: `${name} (inspected)`, isLocal: true, inWindows, writtenMs: Date.now() },
      },
      { directory, warn: ({ message }) => log.print(message) },
    );
    log.append({ ev: "lock", what: "created", file: this.#lock.path });
    this.#forgetExit = onProcessExit(() => this.#lock?.remove());
  }

  /** Host, Origin and token first: a refused client costs the editor nothing. */
  #admit(request: IncomingMessage): Verdict<undefined> {
    const source = inspectSource(request, ENDPOINT);
    if (request.headers.upgrade === undefined) return toLastAnswer(source ?? PLAIN);
    const refusal = source ?? this.#inspectAgent(request);
    if (refusal === undefined) return { client: undefined };
    this.#logRefusal(request, refusal);
    return toLastAnswer(refusal);
  }

  #inspectAgent(request: IncomingMessage): Refusal | undefined {
    if (!hasToken(request.headers, this.#token)) {
      return { status: 401, message: `The token is missing or not the one of ${this.lockFile}` };
    }
    if (this.#server.upgradedCount < MAX_AGENTS) return undefined;
    return { status: 503, message: `${MAX_AGENTS} agents are connected, which is the limit` };
  }

  #logRefusal(request: IncomingMessage, { status, message }: Refusal): void {
    this.#refused += 1;
    if (this.#refused > MAX_SHOWN) return;
    const { log } = this.#options;
    const ch = log.name();
    const text = describeUpgrade(request);
    log.append({ ev: "control", ch, dir: "agent>ide", op: "upgrade", text });
    log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text: `HTTP ${status}` });
    const more = this.#refused === MAX_SHOWN ? " Further ones are not shown." : "";
    log.print(`${ch}: refused, and not passed on: ${message}.${more}`);
  }

  async #join({ request, socket: agent, head }: Upgrade): Promise<void> {
    const { log, search } = this.#options;
    const ch = log.name();
    agent.setTimeout(0);
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
        `${ch}: ${again} is not running: ${message}. The next connection of an agent looks for it again.`,
      );
      this.#isAway = true;
      endUnadmitted(agent, request, toLastAnswer({ status: 502, message }));
    }
  }

  #notice(target: EditorAtPort): void {
    const { log } = this.#options;
    const before = this.#target;
    this.#target = target;
    log.hide(target.token);
    if (before.lockFile === target.lockFile) return;
    log.print(`The editor is ${target.name} on port ${target.port} now.`);
  }
}

function dialIde({ host, port }: EditorAtPort): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const ide = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const timer = setTimeout(() => {
      ide.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" }));
    }, DIAL_TIMEOUT_MS);
    ide.once("error", reject);
    ide.once("connect", () => {
      clearTimeout(timer);
      ide.off("error", reject);
      resolve(ide);
    });
    ide.once("close", () => clearTimeout(timer));
  });
}
