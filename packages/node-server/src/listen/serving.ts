import {
  claudeCode,
  type Dialect,
  type EditorHost,
  type Emitter,
  type IdeSession,
} from "@idewire/core";
import { JoinedHosts, type WriteWatch } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { FolderClaims } from "../discovery/folder-claims.ts";
import { type Environment, stateDirectory } from "../files/directories.ts";
import { defaultLimits } from "../loopback-server/listen-limits.ts";
import { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { onProcessExit } from "../process/exit.ts";
import { ActiveShare, type OwnShare } from "./active-share.ts";
import { type AgentSide, createAgentSide, type OfferedFolder } from "./agent-side.ts";
import type { ListenerContext } from "./create-server.ts";
import { cannotConnect, type DialectEndpoint, openDialect, sweepFor } from "./dialect-endpoint.ts";
import { kindOf } from "./endpoint-kinds.ts";
import { FolderSockets } from "./folder-sockets.ts";
import { Joiners } from "./join/joiners.ts";
import { KnownAgents } from "./known-agents.ts";
import type {
  CommandedEditors,
  IdeEndpoint,
  IdeListenerEvents,
  ListenIdeOptions,
} from "./listen-options.ts";
import { placesFor } from "./places.ts";
import { refuseFolders } from "./refuse-folders.ts";
import { ServedFolders } from "./served-folders.ts";
import { watchUnreviewed } from "./unreviewed.ts";
import { describeInterrupted, recordDiffs } from "./waiting-diffs.ts";

export interface ServingOptions {
  readonly options: ListenIdeOptions;
  readonly events: Emitter<IdeListenerEvents>;
  readonly share: () => OwnShare;
  /** When the person was last in the editor, in milliseconds since 1970; 0 for never. */
  readonly focusedMs: number;
  readonly warn: (error: Error) => void;
}

/** A process that agents can find: it listens for them, and for other processes with editors on its folders. */
export class Serving {
  readonly #host: EditorHost;
  readonly #serving: ServingOptions;
  readonly #options: ListenIdeOptions;
  readonly #env: Environment;
  readonly #hosts: JoinedHosts;
  readonly #share: ActiveShare;
  readonly #joiners: Joiners;
  readonly #sockets: FolderSockets | undefined;
  readonly #folders: ServedFolders;
  readonly #side: AgentSide;
  readonly #context: ListenerContext;
  readonly #dialectEndpoints: DialectEndpoint[] = [];
  readonly #claims: FolderClaims | undefined;
  readonly #writes: WriteWatch<IdeSession>;
  readonly #forgetEvents: readonly (() => void)[];
  #agents: KnownAgents | undefined;
  #forgetFolders: (() => void) | undefined;
  #forgetExit: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(host: EditorHost, serving: ServingOptions) {
    const { options, events, focusedMs } = serving;
    this.#host = host;
    this.#serving = serving;
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#hosts = new JoinedHosts(host, focusedMs, () => {
      this.#share.follow();
      for (const { ide } of this.#dialectEndpoints) ide.toolsChanged();
    });
    this.#share = this.#createShare();
    this.#joiners = this.#createJoiners();
    const exclude = serving.share().exclude;
    this.#side = createAgentSide(this.#hosts.host, { ...options, exclude }, () => this.#setShare());
    const warn = (error: Error) => this.#warn(error);
    if (options.resume !== false) {
      this.#claims = new FolderClaims({ directory: stateDirectory(this.#env), warn });
      this.#sockets = new FolderSockets({
        ...{ env: this.#env, warn },
        answer: (peer) => {
          this.#joiners.accept(peer);
          options.commands?.(peer, this.#commanded);
        },
      });
    }
    this.#folders = this.#createFolders();
    this.#writes = watchUnreviewed({
      ...{ side: this.#side, env: this.#env, pathMap: options.pathMap },
      sessions: () => this.sessions,
      emit: (session, writes) => events.emit("unreviewed", session, writes),
      onwrite: (session, write) => events.emit("written", session, write),
    });
    this.#context = this.#createContext();
    this.#forgetEvents = [
      events.on("identified", (session) => this.#identified(session)),
      events.on("initialized", (session) => this.#agents?.initialized(session)),
    ];
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#dialectEndpoints.map(({ facts }) => facts);
  }

  get sessions(): ReadonlySet<IdeSession> {
    return new Set(this.#dialectEndpoints.flatMap(({ sessions }) => [...sessions]));
  }

  get #commanded(): CommandedEditors {
    const hosts = this.#hosts;
    const own = this.#host;
    return {
      get elsewhere() {
        return hosts.active === own ? undefined : hosts.active;
      },
      mention: (mention) => hosts.mention(mention),
    };
  }

  /** The person is in the editor of this process. */
  focus(): void {
    this.#hosts.focus(this.#host);
  }

  /** Called when the share policy of this process's editor has changed. */
  shareChanged(): void {
    this.#share.ownChanged();
  }

  /** Excludes files from sharing; returns whether others were excluded before. */
  #exclude(globs: readonly string[]): boolean {
    const { excluded } = this.#side;
    if (globs.join("\n") === excluded.globs.join("\n")) return false;
    excluded.globs = globs;
    this.#claims?.update({ exclude: globs });
    return true;
  }

  #setShare(): void {
    for (const { ide } of this.#dialectEndpoints) ide.share = this.#side.share(this.#share.policy);
  }

  #createShare(): ActiveShare {
    return new ActiveShare({
      hosts: this.#hosts,
      own: this.#serving.share,
      exclude: (globs) => this.#exclude(globs),
      onchange: () => this.#setShare(),
    });
  }

  #createFolders(): ServedFolders {
    return new ServedFolders({
      ...{ side: this.#side, claims: this.#claims, sockets: this.#sockets },
      endpoints: () => this.#dialectEndpoints,
      onpublished: () => this.#serving.events.emit("published"),
      warn: (error) => this.#warn(error),
    });
  }

  #createJoiners(): Joiners {
    const { events } = this.#serving;
    return new Joiners({
      ...{ hosts: this.#hosts, events },
      endpoints: () => this.endpoints,
      sessions: () => this.sessions,
      refusal: () =>
        this.#options.pathMap === undefined
          ? undefined
          : "it serves agents of another machine (--path-map)",
      onshare: (host, share) => this.#share.set(host, share),
      warn: (error) => this.#warn(error),
    });
  }

  async open(): Promise<void> {
    const folders = await this.#folders.claim();
    const { previous } = this.#claims ?? {};
    const { diffs = [] } = previous ?? {};
    this.#agents = new KnownAgents({
      dialects: this.#dialects,
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
        // A failure for one family of agents does not prevent the others from finding the editor.
        if (index === 0) throw error;
        this.#warn(cannotConnect(dialect, error as Error));
      }
    }
    const exclude = this.#side.excluded.globs;
    await this.#claims?.record({ endpoints: this.#resumptions, exclude });
    this.#forgetFolders = this.#side.host.on("workspace", () => this.#folders.changed());
    this.#folders.changed();
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

  async #close(): Promise<void> {
    this.#writes.close();
    this.#forgetFolders?.();
    this.#removeLockFiles();
    await this.#folders.close();
    this.#removeLockFiles();
    this.#forgetExit?.();
    this.#sockets?.stop();
    this.#joiners.close();
    await Promise.all(this.#dialectEndpoints.map((each) => each.close()));
    for (const forget of this.#forgetEvents) forget();
    await this.#claims?.release();
    // Last: the processes that have joined take over when they are disconnected.
    this.#sockets?.close();
    this.#hosts.close();
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
      host: this.#createHost(),
      ...{ writes: this.#writes, events: this.#serving.events },
      share: () => this.#share.policy,
      warn: (error) => this.#warn(error),
      onasked: () => this.#claims?.update({ endpoints: this.#resumptions }),
    };
  }

  #createHost(): EditorHost {
    const side = this.#side;
    const recorded = recordDiffs(side.host, {
      sessions: () => this.sessions,
      onchange: (diffs) => this.#claims?.update({ diffs }),
    });
    return refuseFolders(recorded, { side, share: () => this.#share.policy });
  }

  #identified(session: IdeSession): void {
    if (this.#side.isLocal && this.#closed === undefined) this.#agents?.identified(session);
  }

  #removeLockFiles(): void {
    for (const each of this.#dialectEndpoints) each.removeLockFile();
  }

  #warn(error: Error): void {
    this.#joiners.sendWarning(error);
    this.#serving.warn(error);
  }
}
