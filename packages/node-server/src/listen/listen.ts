import { setImmediate } from "node:timers";
import {
  claudeCode,
  type Dialect,
  defaultSharePolicy,
  type EditorHost,
  Emitter,
  IdeServer,
  type IdeSession,
  type SharePolicy,
} from "@idewire/core";
import {
  createToken,
  type EndpointSpec,
  requireKnownOptions,
  requireMembers,
  type WriteWatch,
} from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { FolderClaims } from "../discovery/folder-claims.ts";
import { publishLockFile, sweepLockFiles } from "../discovery/lock-file.ts";
import type { PublishedLockFile } from "../discovery/published-lock-file.ts";
import { discoveryDirectory, type Environment, stateDirectory } from "../files/directories.ts";
import { ownDirectory } from "../files/own-folders.ts";
import { refuseOpenBind } from "../loopback-server/listen-at.ts";
import { defaultLimits, type ListenLimits } from "../loopback-server/listen-limits.ts";
import { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { onProcessExit } from "../process/exit.ts";
import { ownIdentity } from "../process/liveness.ts";
import type { AgentEndpoint, AgentEndpointOptions } from "./agent-endpoint.ts";
import {
  type AgentSide,
  createAgentSide,
  type OfferedFolder,
  refuseCollisions,
} from "./agent-side.ts";
import { HttpAgentEndpoint } from "./http-endpoint.ts";
import { KnownAgents } from "./known-agents.ts";
import {
  type IdeEndpoint,
  type IdeListener,
  type IdeListenerEvents,
  type ListenIdeOptions,
  listenIdeNames,
} from "./listen-options.ts";
import { watchUnreviewed } from "./unreviewed.ts";
import { describeInterrupted, recordDiffs } from "./waiting-diffs.ts";
import { WebSocketEndpoint } from "./web-socket-endpoint.ts";

const PORT_ATTEMPTS = 8;

/** What opens the endpoint of a dialect. */
const endpoints: Readonly<
  Record<EndpointSpec["kind"], new (ide: IdeServer, options: AgentEndpointOptions) => AgentEndpoint>
> = { "web-socket": WebSocketEndpoint, http: HttpAgentEndpoint };

/** What each host has. */
const hostMembers = ["workspace", "documents", "selection", "read", "on"] as const;

/**
 * Lets the agents of this machine find an editor: listens, publishes the discovery files, admits
 * clients that have the token, and sends each session the host's state.
 *
 * A listener added in the turn in which this resolves misses nothing: no client is admitted before.
 *
 * @throws IdewireError `folder-in-use` when another process serves a folder of this host,
 * `port-in-use`, `file-system` when a discovery file cannot be written, `invalid-argument` for a value that is not
 * a host, and for an unknown option
 */
export async function listenIde(
  host: EditorHost,
  options: ListenIdeOptions = {},
): Promise<IdeListener> {
  requireMembers("listenIde", host, { expected: "an EditorHost", functions: hostMembers });
  requireKnownOptions("listenIde", options, listenIdeNames);
  const listener = new NodeIdeListener(host, options);
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

/** One dialect's server and endpoint. */
interface DialectEndpoint {
  readonly ide: IdeServer;
  readonly endpoint: AgentEndpoint;
  readonly dialect: Dialect;
  readonly token: string;
  published: PublishedDialect;
}

/** A dialect's published lock file, and its endpoint. */
interface PublishedDialect {
  readonly lockFile: PublishedLockFile;
  readonly facts: IdeEndpoint;
}

class NodeIdeListener implements IdeListener {
  readonly warnings: Error[] = [];
  readonly #options: ListenIdeOptions;
  readonly #env: Environment;
  readonly #side: AgentSide;
  /** That of the side, with its waiting diffs recorded. */
  readonly #host: EditorHost;
  readonly #events = new Emitter<IdeListenerEvents>();
  readonly #dialectEndpoints: DialectEndpoint[] = [];
  readonly #limits: ListenLimits;
  readonly #budget: MemoryBudget;
  readonly #claims: FolderClaims | undefined;
  readonly #writes: WriteWatch<IdeSession>;
  #agents: KnownAgents | undefined;
  #share: SharePolicy;
  #isOutdated = false;
  #publishing: Promise<void> | undefined;
  #forgetFolders: (() => void) | undefined;
  #forgetExit: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(host: EditorHost, options: ListenIdeOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#budget = new MemoryBudget(this.#limits);
    this.#env = options.env ?? process.env;
    this.#share = { ...defaultSharePolicy, ...options.share };
    this.#side = createAgentSide(host, options, () => {
      this.share = this.#share;
    });
    this.#host = recordDiffs(this.#side.host, {
      sessions: () => this.sessions,
      onchange: (diffs) => this.#claims?.update({ diffs }),
    });
    if (options.resume !== false) {
      const warn = (error: Error) => this.#warn(error);
      this.#claims = new FolderClaims({ directory: stateDirectory(this.#env), warn });
    }
    this.#writes = watchUnreviewed({
      ...{ side: this.#side, env: this.#env, pathMap: options.pathMap },
      sessions: () => this.sessions,
      emit: (session, writes) => this.#events.emit("unreviewed", session, writes),
      onwrite: (session, write) => this.#events.emit("written", session, write),
    });
    refuseOpenBind("address", options.address, options.allowedHosts);
    refuseCollisions(options);
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#dialectEndpoints.map((dialectEndpoint) => dialectEndpoint.published.facts);
  }

  get sessions(): ReadonlySet<IdeSession> {
    return new Set(
      this.#dialectEndpoints.flatMap((dialectEndpoint) => [...dialectEndpoint.ide.sessions]),
    );
  }

  get share(): SharePolicy {
    return this.#share;
  }

  set share(policy: SharePolicy) {
    this.#share = policy;
    for (const { ide } of this.#dialectEndpoints) ide.share = this.#side.share(policy);
  }

  get exclude(): readonly string[] {
    return this.#side.excluded.globs;
  }

  set exclude(globs: readonly string[]) {
    this.#side.excluded.globs = globs;
    this.#claims?.update({ exclude: globs });
    this.share = this.#share;
  }

  on<E extends keyof IdeListenerEvents>(event: E, listener: IdeListenerEvents[E]): () => void {
    return this.#events.on(event, listener);
  }

  async open(): Promise<void> {
    const folders = await this.#side.folders();
    for (const folder of folders) await this.#claims?.add(folder.claim);
    const dialects = this.#options.dialects ?? [claudeCode];
    const { endpoints: previous = {}, diffs = [], agents = [] } = this.#claims?.previous ?? {};
    this.#agents = new KnownAgents({
      previous: agents,
      record: (known) => this.#claims?.update({ agents: known }),
      warn: (error) => this.#warn(error),
    });
    for (const diff of diffs) this.#warn(describeInterrupted(diff));
    this.#forgetExit = onProcessExit(() => this.#removeLockFiles());
    for (const [index, dialect] of dialects.entries()) {
      const port = index === 0 ? this.#options.port : 0;
      try {
        await this.#sweep(dialect);
        const places = placesToTry(port, previous[dialect.id]);
        this.#dialectEndpoints.push(await this.#openEndpoint(dialect, folders, places));
      } catch (error) {
        // What one family of agents lacks does not keep the others from the editor.
        if (index === 0) throw error;
        this.#warn(new Error(`${titleOf(dialect)} cannot connect: ${(error as Error).message}`));
      }
    }
    const endpoints = this.#dialectEndpoints.map(
      ({ dialect, token, published }): [string, ResumeEndpoint] => [
        dialect.id,
        { port: published.facts.port, token },
      ],
    );
    const { exclude } = this;
    await this.#claims?.record({ endpoints: Object.fromEntries(endpoints), exclude });
    this.#forgetFolders = this.#side.host.on("workspace", () => this.#foldersChanged());
    this.#foldersChanged();
  }

  admit(): void {
    for (const { endpoint } of this.#dialectEndpoints) endpoint.admit();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#writes.close();
    this.#forgetFolders?.();
    this.#removeLockFiles();
    await this.#publishing;
    this.#removeLockFiles();
    this.#forgetExit?.();
    await Promise.all(
      this.#dialectEndpoints.map((dialectEndpoint) => dialectEndpoint.endpoint.close()),
    );
    await this.#claims?.release();
  }

  /** Agents that look for an editor from now on must find it by its current folders. */
  #foldersChanged(): void {
    this.#isOutdated = true;
    this.#publishing ??= this.#publishAnew()
      .catch((error: unknown) => this.#warn(error as Error))
      .finally(() => {
        this.#publishing = undefined;
      });
  }

  async #publishAnew(): Promise<void> {
    while (this.#isOutdated && this.#closed === undefined) {
      this.#isOutdated = false;
      const folders = await this.#freeFolders();
      const seen = JSON.stringify(folders.map((folder) => folder.seen));
      let isChanged = false;
      for (const dialectEndpoint of this.#dialectEndpoints) {
        const { lockFile, facts } = dialectEndpoint.published;
        if (JSON.stringify(facts.folders) === seen) continue;
        dialectEndpoint.published = await this.#publish(dialectEndpoint, folders, facts.port);
        lockFile.stop();
        isChanged = true;
      }
      if (isChanged) this.#events.emit("published");
    }
  }

  /** But for those that another process serves: agents connect to neither where there are two. */
  async #freeFolders(): Promise<readonly OfferedFolder[]> {
    const free: OfferedFolder[] = [];
    try {
      for (const folder of await this.#side.folders()) {
        const claiming = this.#claims?.add(folder.claim) ?? Promise.resolve();
        await claiming.then(
          () => free.push(folder),
          (error: Error) => this.#warn(error),
        );
      }
    } catch (error) {
      this.#warn(error as Error);
    }
    await this.#claims?.keepOnly(free.map(({ claim }) => claim));
    return free;
  }

  /** Removes what crashed runs of ours have left for the agents of a dialect. */
  async #sweep({ endpoint: { discovery } }: Dialect): Promise<void> {
    const directory = await ownDirectory(discovery.folder, this.#env);
    for (const trouble of await sweepLockFiles(discovery, directory)) this.#warn(trouble);
  }

  async #openEndpoint(
    dialect: Dialect,
    offered: readonly OfferedFolder[],
    places: readonly ResumeEndpoint[],
  ): Promise<DialectEndpoint> {
    const [{ port, token } = { port: 0, token: createToken() }, ...others] = places;
    const ide = this.#createServer(dialect);
    const endpoint = this.#createEndpoint(ide, token);
    const dialectEndpoint = { ide, endpoint, dialect, token };
    try {
      return {
        ...dialectEndpoint,
        published: await this.#publish(dialectEndpoint, offered, await endpoint.listen(port)),
      };
    } catch (error) {
      await endpoint.close();
      const isTaken = error instanceof IdewireError && error.code === "port-in-use";
      if (!isTaken || others.length === 0) throw error;
      return this.#openEndpoint(dialect, offered, others);
    }
  }

  async #publish(
    {
      dialect: { id: dialect, endpoint: spec },
      endpoint,
      token,
    }: Omit<DialectEndpoint, "published">,
    offered: readonly OfferedFolder[],
    port: number,
  ): Promise<PublishedDialect> {
    const folders = offered.map(({ seen }) => seen);
    const ideName = this.#side.host.name;
    const process = ownIdentity();
    const sent = { port, token, ideName, process, ...this.#side.publish(folders) };
    const lockFile = await publishLockFile(spec.discovery, sent, {
      directory: discoveryDirectory(spec.discovery.folder, this.#env),
      warn: (error) => this.#warn(error),
    });
    const url = endpoint.urlAt(urlHost(this.#options.address), port);
    const { kind } = spec;
    return { lockFile, facts: { dialect, kind, port, url, lockFile: lockFile.path, folders } };
  }

  #createServer(dialect: Dialect): IdeServer {
    const { around, onerror } = this.#options;
    const ide = new IdeServer({
      host: this.#host,
      dialect,
      platform: this.#side.platform,
      share: this.#side.share(this.#share),
      writes: this.#writes,
      annotateDiagnostics: this.#options.annotateDiagnostics,
      ...(around !== undefined && { around }),
      ...(onerror !== undefined && { peer: { onerror } }),
    });
    ide.events.on("connected", (session) => this.#events.emit("connected", session));
    ide.events.on("initialized", (session) => this.#events.emit("initialized", session));
    ide.events.on("ready", (session) => this.#events.emit("ready", session));
    ide.events.on("call", (session, call) => {
      this.#events.emit("call", session, call);
      // The session has the number once the notification is handled.
      if (call.method === "ide_connected") setImmediate(() => this.#identified(session));
    });
    ide.events.on("sent", (session, fact, frame) => {
      this.#events.emit("sent", session, fact, frame);
    });
    ide.events.on("disconnected", (session, reason) => {
      this.#events.emit("disconnected", session, reason);
    });
    return ide;
  }

  #identified(session: IdeSession): void {
    if (this.#side.isLocal && this.#closed === undefined) this.#agents?.identified(session);
  }

  #createEndpoint(ide: IdeServer, token: string): AgentEndpoint {
    const { address = "127.0.0.1", allowedHosts = [], allowedOrigins = [] } = this.#options;
    const hosts = allowedHosts.map((host) => host.toLowerCase());
    return new endpoints[ide.dialect.endpoint.kind](ide, {
      address,
      token,
      policy: { allowedHosts: hosts, allowedOrigins },
      limits: this.#limits,
      budget: this.#budget,
      seesAgents: this.#side.isLocal,
      wrapTransport: this.#options.wrapTransport,
      onrefused: () => this.#events.emit("refused"),
    });
  }

  #removeLockFiles(): void {
    for (const { published } of this.#dialectEndpoints) published.lockFile.remove();
  }

  #warn(error: Error): void {
    if (this.#events.has("warning")) this.#events.emit("warning", error);
    else if (this.warnings.length < 100) this.warnings.push(error);
  }
}

/**
 * Where to listen, in turn; port 0 lets the system choose. The token is the old one only with the
 * old port: an agent that reconnects sends it to whatever has that port now.
 */
function placesToTry(
  port = 0,
  previous: ResumeEndpoint | undefined = undefined,
): readonly ResumeEndpoint[] {
  const isOld = previous !== undefined && (port === 0 || port === previous.port);
  const fresh = { port, token: createToken() };
  const others = port === 0 ? Array<ResumeEndpoint>(PORT_ATTEMPTS).fill(fresh) : [fresh];
  if (!isOld) return others;
  return port === 0 ? [previous, ...others] : [previous];
}

function titleOf({ id, agent }: Dialect): string {
  return agent?.title ?? id;
}

function urlHost(address = "127.0.0.1"): string {
  return address.includes(":") ? `[${address}]` : address;
}
