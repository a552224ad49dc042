import { randomBytes } from "node:crypto";
import { clearInterval, setImmediate, setInterval } from "node:timers";
import {
  claudeCode,
  type Dialect,
  defaultSharePolicy,
  Emitter,
  IdeServer,
  type IdeSession,
  IdewireError,
  type SharePolicy,
} from "@idewire/core";
import {
  type AgentSide,
  createAgentSide,
  type OfferedFolder,
  refuseCollisions,
} from "./agent-side.ts";
import { type Environment, stateDirectory } from "./directories.ts";
import { claimFolder, type FolderClaim } from "./discovery/folder-claim.ts";
import { discoveryFormats } from "./discovery/formats.ts";
import { type PublishedLockFile, publishLockFile, sweepLockFiles } from "./discovery/lock-file.ts";
import { onProcessExit } from "./exit.ts";
import type {
  IdeEndpoint,
  IdeListener,
  IdeListenerEvents,
  ListenIdeOptions,
  ListenLimits,
} from "./listen-options.ts";
import { WebSocketEndpoint } from "./web-socket-endpoint.ts";

const defaultLimits: ListenLimits = {
  maxConnections: 256,
  maxFrameBytes: 1 << 24,
  handshakeTimeoutMs: 30_000,
  keepAliveMs: 15_000,
};

/** How often the record of a long run is kept from growing a day old. */
const REFRESH_MS = 3_600_000;

const PORT_ATTEMPTS = 8;

/**
 * Lets the agents of this machine find an editor: listens, publishes the discovery files, lets in
 * who has the token, and keeps each session told of the host's state.
 *
 * Who subscribes in the turn in which this resolves misses nothing: nobody is let in before.
 *
 * @throws IdewireError `folder-in-use` when another process serves a folder of this host,
 * `port-in-use`, `file-system` when a discovery file cannot be written, `invalid-argument`
 */
export async function listenIde(options: ListenIdeOptions): Promise<IdeListener> {
  const listener = new Listener(options);
  try {
    await listener.open();
  } catch (error) {
    await listener.close();
    throw error;
  }
  // An agent may be back on its old port already: it waits until our caller could subscribe.
  setImmediate(() => listener.admit());
  return listener;
}

/** One dialect's server and door. */
interface Door {
  readonly ide: IdeServer;
  readonly endpoint: WebSocketEndpoint;
  readonly lockFile: PublishedLockFile;
  readonly facts: IdeEndpoint;
}

class Listener implements IdeListener {
  readonly warnings: Error[] = [];
  readonly #options: ListenIdeOptions;
  readonly #env: Environment;
  readonly #side: AgentSide;
  readonly #events = new Emitter<IdeListenerEvents>();
  readonly #doors: Door[] = [];
  readonly #claims: FolderClaim[] = [];
  #share: SharePolicy;
  #refreshTimer: NodeJS.Timeout | undefined;
  #forgetExit: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ListenIdeOptions) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#share = options.share ?? defaultSharePolicy;
    this.#side = createAgentSide(options);
    refuseOpenBind(options);
    refuseCollisions(options);
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#doors.map((door) => door.facts);
  }

  get sessions(): ReadonlySet<IdeSession> {
    return new Set(this.#doors.flatMap((door) => [...door.ide.sessions]));
  }

  get share(): SharePolicy {
    return this.#share;
  }

  set share(policy: SharePolicy) {
    this.#share = policy;
    for (const { ide } of this.#doors) ide.share = this.#side.share(policy);
  }

  on<E extends keyof IdeListenerEvents>(event: E, listener: IdeListenerEvents[E]): () => void {
    return this.#events.on(event, listener);
  }

  async open(): Promise<void> {
    const folders = await this.#side.folders();
    for (const folder of folders) await this.#claim(folder);
    const dialects = this.#options.dialects ?? [claudeCode];
    for (const kind of new Set(dialects.map(({ discovery }) => discovery))) {
      for (const trouble of await sweepLockFiles(discoveryFormats[kind], this.#env)) {
        this.#warn(trouble);
      }
    }
    const previous = this.#claims[0]?.previous;
    const token = previous?.token ?? randomBytes(64).toString("base64url");
    this.#forgetExit = onProcessExit(() => this.#removeLockFiles());
    for (const dialect of dialects) {
      const ports = this.#portsToTry(previous?.ports[dialect.id]);
      this.#doors.push(await this.#openDoor(dialect, folders, token, ports));
    }
    await this.#record(token);
  }

  admit(): void {
    for (const { endpoint } of this.#doors) endpoint.admit();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#refreshTimer);
    this.#removeLockFiles();
    this.#forgetExit?.();
    await Promise.all(this.#doors.map((door) => door.endpoint.close()));
    await this.#eachClaim((claim) => claim.release());
  }

  /** Who serves it to agents that call it otherwise is in nobody's way. */
  async #claim({ own, seen }: OfferedFolder): Promise<void> {
    if (this.#options.resume === false) return;
    const name = own === seen ? own : `${own} (as ${seen})`;
    try {
      this.#claims.push(await claimFolder(stateDirectory(this.#env), name));
    } catch (error) {
      if (!(error instanceof IdewireError) || error.code !== "file-system") throw error;
      this.#warn(error);
    }
  }

  /** The ports to try in turn; 0 lets the system choose. */
  #portsToTry(previous: number | undefined): readonly number[] {
    if (this.#options.port !== undefined && this.#options.port !== 0) return [this.#options.port];
    const any = Array<number>(PORT_ATTEMPTS).fill(0);
    return previous === undefined ? any : [previous, ...any];
  }

  async #openDoor(
    dialect: Dialect,
    offered: readonly OfferedFolder[],
    token: string,
    ports: readonly number[],
  ): Promise<Door> {
    const [port = 0, ...others] = ports;
    const ide = this.#createServer(dialect);
    const endpoint = this.#createEndpoint(ide, token);
    try {
      const actual = await endpoint.listen(port);
      const folders = offered.map(({ seen }) => seen);
      const ideName = this.#options.host.info.name;
      const told = { port: actual, token, ideName, ...this.#side.publish(folders) };
      const format = discoveryFormats[dialect.discovery];
      const lockFile = await publishLockFile(format, this.#env, told);
      const url = `ws://${urlHost(this.#options.address)}:${actual}`;
      const facts = { dialect: dialect.id, port: actual, url, lockFile: lockFile.path, folders };
      return { ide, endpoint, lockFile, facts };
    } catch (error) {
      await endpoint.close();
      const isTaken = error instanceof IdewireError && error.code === "port-in-use";
      if (!isTaken || others.length === 0) throw error;
      return this.#openDoor(dialect, offered, token, others);
    }
  }

  #createServer(dialect: Dialect): IdeServer {
    const ide = new IdeServer({
      host: this.#side.host,
      dialect,
      platform: this.#side.platform,
      share: this.#side.share(this.#share),
      peer: { onerror: (error) => this.#warn(error) },
    });
    ide.events.on("connected", (session) => this.#events.emit("connected", session));
    ide.events.on("initialized", (session) => this.#events.emit("initialized", session));
    ide.events.on("ready", (session) => this.#events.emit("ready", session));
    ide.events.on("call", (session, call) => this.#events.emit("call", session, call));
    ide.events.on("told", (session, frame) => this.#events.emit("told", session, frame));
    ide.events.on("disconnected", (session, reason) => {
      this.#events.emit("disconnected", session, reason);
    });
    return ide;
  }

  #createEndpoint(ide: IdeServer, token: string): WebSocketEndpoint {
    const { address = "127.0.0.1", allowedHosts = [], allowedOrigins = [] } = this.#options;
    const limits = { ...defaultLimits, ...this.#options.limits };
    const hosts = allowedHosts.map((host) => host.toLowerCase());
    return new WebSocketEndpoint(ide, {
      address,
      token,
      door: { allowedHosts: hosts, allowedOrigins },
      limits,
      seesAgents: this.#side.isLocal,
      wrapTransport: this.#options.wrapTransport,
      onrefused: () => this.#events.emit("refused"),
    });
  }

  async #record(token: string): Promise<void> {
    const ports = Object.fromEntries(this.endpoints.map(({ dialect, port }) => [dialect, port]));
    await this.#eachClaim((claim) => claim.record({ token, ports }));
    this.#refreshTimer = setInterval(
      () => void this.#eachClaim((claim) => claim.refresh()),
      REFRESH_MS,
    );
    this.#refreshTimer.unref();
  }

  /** What a claim cannot write costs the next run its port, and this one nothing. */
  async #eachClaim(act: (claim: FolderClaim) => Promise<void>): Promise<void> {
    for (const claim of this.#claims) {
      try {
        await act(claim);
      } catch (error) {
        this.#warn(error as Error);
      }
    }
  }

  #removeLockFiles(): void {
    for (const { lockFile } of this.#doors) lockFile.remove();
  }

  #warn(error: Error): void {
    if (this.#events.has("warning")) this.#events.emit("warning", error);
    else if (this.warnings.length < 100) this.warnings.push(error);
  }
}

/** A port that the whole network reaches must know by which name it is called. */
function refuseOpenBind({ address, allowedHosts = [] }: ListenIdeOptions): void {
  const loopback = ["127.0.0.1", "::1", "localhost"];
  if (address === undefined || loopback.includes(address) || allowedHosts.length > 0) return;
  throw new IdewireError(
    "invalid-argument",
    `Listening on ${address} opens the editor to the network: name the hosts that clients call it by`,
  );
}

function urlHost(address = "127.0.0.1"): string {
  return address.includes(":") ? `[${address}]` : address;
}
