import { setImmediate } from "node:timers";
import {
  claudeCode,
  type Dialect,
  defaultSharePolicy,
  type EditorHost,
  Emitter,
  type IdeSession,
  type PosixPath,
  type SharePolicy,
} from "@idewire/core";
import { requireKnownOptions, requireMembers, type WriteWatch } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { FolderClaims } from "../discovery/folder-claims.ts";
import { type Environment, stateDirectory } from "../files/directories.ts";
import { refuseOpenBind } from "../loopback-server/listen-at.ts";
import { defaultLimits } from "../loopback-server/listen-limits.ts";
import { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { onProcessExit } from "../process/exit.ts";
import {
  type AgentSide,
  createAgentSide,
  type OfferedFolder,
  refuseCollisions,
} from "./agent-side.ts";
import type { ListenerContext } from "./create-server.ts";
import { cannotConnect, type DialectEndpoint, openDialect, sweepFor } from "./dialect-endpoint.ts";
import { kindOf } from "./endpoint-kinds.ts";
import { KnownAgents } from "./known-agents.ts";
import {
  type IdeEndpoint,
  type IdeListener,
  type IdeListenerEvents,
  type ListenIdeOptions,
  listenIdeNames,
} from "./listen-options.ts";
import { placesFor } from "./places.ts";
import { watchUnreviewed } from "./unreviewed.ts";
import { describeInterrupted, recordDiffs } from "./waiting-diffs.ts";

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

class NodeIdeListener implements IdeListener {
  readonly warnings: Error[] = [];
  readonly #options: ListenIdeOptions;
  readonly #env: Environment;
  readonly #side: AgentSide;
  readonly #events = new Emitter<IdeListenerEvents>();
  readonly #context: ListenerContext;
  readonly #dialectEndpoints: DialectEndpoint[] = [];
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
    this.#env = options.env ?? process.env;
    this.#share = { ...defaultSharePolicy, ...options.share };
    this.#side = createAgentSide(host, options, () => {
      this.share = this.#share;
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
    this.#context = this.#createContext();
    this.#events.on("identified", (session) => this.#identified(session));
    this.#events.on("initialized", (session) => this.#agents?.initialized(session));
    refuseOpenBind("address", options.address, options.allowedHosts);
    refuseCollisions(options);
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#dialectEndpoints.map(({ facts }) => facts);
  }

  get sessions(): ReadonlySet<IdeSession> {
    return new Set(this.#dialectEndpoints.flatMap(({ sessions }) => [...sessions]));
  }

  get share(): SharePolicy {
    return this.#share;
  }

  set share(policy: SharePolicy) {
    this.#share = policy;
    for (const { ide } of this.#dialectEndpoints) ide.share = this.#side.share(policy);
  }

  readonly isExcluded = (path: PosixPath): boolean =>
    this.#share.isExcluded(path) || this.#side.excluded.has(path);

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
    const { previous } = this.#claims ?? {};
    const { diffs = [] } = previous ?? {};
    this.#agents = new KnownAgents({
      previous,
      record: (known) => this.#claims?.update({ agents: known }),
      warn: (error) => this.#warn(error),
    });
    for (const diff of diffs) this.#warn(describeInterrupted(diff));
    this.#forgetExit = onProcessExit(() => {
      for (const each of this.#dialectEndpoints) each.abandon();
    });
    for (const [index, dialect] of this.#dialects.entries()) {
      try {
        const port = index === 0 ? this.#options.port : 0;
        this.#dialectEndpoints.push(await this.#openDialect(dialect, folders, port));
      } catch (error) {
        // What one family of agents lacks does not keep the others from the editor.
        if (index === 0) throw error;
        this.#warn(cannotConnect(dialect, error as Error));
      }
    }
    const endpoints = this.#dialectEndpoints.map(
      ({ dialect, resumption }) => [dialect.id, resumption] as const,
    );
    const { exclude } = this;
    await this.#claims?.record({ endpoints: Object.fromEntries(endpoints), exclude });
    this.#forgetFolders = this.#side.host.on("workspace", () => this.#foldersChanged());
    this.#foldersChanged();
  }

  get #resumptions(): Readonly<Record<string, ResumeEndpoint>> {
    const all = this.#dialectEndpoints.map(
      ({ dialect, resumption }) => [dialect.id, resumption] as const,
    );
    return Object.fromEntries(all);
  }

  admit(): void {
    for (const each of this.#dialectEndpoints) each.admit();
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
    await Promise.all(this.#dialectEndpoints.map((each) => each.close()));
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
      let isChanged = false;
      for (const each of this.#dialectEndpoints) {
        if (await each.offer(folders)) isChanged = true;
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

  /** A socket of this machine is of no use to agents elsewhere. */
  get #dialects(): readonly Dialect[] {
    const { dialects = [claudeCode] } = this.#options;
    if (this.#side.isLocal) return dialects;
    const reachable = dialects.filter(({ endpoint }) => !kindOf(endpoint).usesSocket);
    if (reachable.length > 0) return reachable;
    const names = dialects.map(({ id }) => id).join(", ");
    const text = `pathMap: ${names} listens at a socket of this machine, which agents elsewhere cannot reach`;
    throw new IdewireError("invalid-argument", text);
  }

  async #openDialect(
    dialect: Dialect,
    offered: readonly OfferedFolder[],
    port: number | undefined,
  ): Promise<DialectEndpoint> {
    await sweepFor(dialect, this.#context);
    const previous = this.#claims?.previous?.endpoints[dialect.id];
    const places = await placesFor(dialect.endpoint, { env: this.#env, port, previous });
    return openDialect(dialect, this.#context, { offered, places });
  }

  #createContext(): ListenerContext {
    const limits = { ...defaultLimits, ...this.#options.limits };
    return {
      ...{ options: this.#options, env: this.#env, side: this.#side, limits },
      budget: new MemoryBudget(limits),
      host: recordDiffs(this.#side.host, {
        sessions: () => this.sessions,
        onchange: (diffs) => this.#claims?.update({ diffs }),
      }),
      ...{ writes: this.#writes, events: this.#events },
      share: () => this.#share,
      warn: (error) => this.#warn(error),
      onasked: () => this.#claims?.update({ endpoints: this.#resumptions }),
    };
  }

  #identified(session: IdeSession): void {
    if (this.#side.isLocal && this.#closed === undefined) this.#agents?.identified(session);
  }

  #removeLockFiles(): void {
    for (const each of this.#dialectEndpoints) each.removeLockFile();
  }

  #warn(error: Error): void {
    if (this.#events.has("warning")) this.#events.emit("warning", error);
    else if (this.warnings.length < 100) this.warnings.push(error);
  }
}
