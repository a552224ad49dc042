import {
  claudeCode,
  type Dialect,
  defaultSharePolicy,
  type EditorHost,
  type Emitter,
  type IdeSession,
  type SharePolicy,
} from "@idewire/core";
import { JoinedHosts, type WriteWatch } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { FolderClaims } from "../discovery/folder-claims.ts";
import { type Environment, stateDirectory } from "../files/directories.ts";
import { defaultLimits } from "../loopback-server/listen-limits.ts";
import { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { onProcessExit } from "../process/exit.ts";
import { type AgentSide, createAgentSide, type OfferedFolder } from "./agent-side.ts";
import type { ListenerContext } from "./create-server.ts";
import { cannotConnect, type DialectEndpoint, openDialect, sweepFor } from "./dialect-endpoint.ts";
import { kindOf } from "./endpoint-kinds.ts";
import { FolderSockets } from "./folder-sockets.ts";
import { Joiners } from "./join/joiners.ts";
import type { MemberShare } from "./join/protocol.ts";
import { KnownAgents } from "./known-agents.ts";
import type {
  CommandedEditors,
  IdeEndpoint,
  IdeListenerEvents,
  ListenIdeOptions,
} from "./listen-options.ts";
import { placesFor } from "./places.ts";
import { refuseFolders } from "./refuse-folders.ts";
import { watchUnreviewed } from "./unreviewed.ts";
import { describeInterrupted, recordDiffs } from "./waiting-diffs.ts";

/** What the editor of this process shares with agents. */
export interface OwnShare {
  readonly policy: SharePolicy;
  readonly exclude: readonly string[];
}

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
  readonly #joiners: Joiners;
  readonly #sockets: FolderSockets | undefined;
  readonly #shares = new Map<EditorHost, MemberShare>();
  readonly #side: AgentSide;
  readonly #context: ListenerContext;
  readonly #dialectEndpoints: DialectEndpoint[] = [];
  readonly #claims: FolderClaims | undefined;
  readonly #writes: WriteWatch<IdeSession>;
  readonly #forgetEvents: readonly (() => void)[];
  #agents: KnownAgents | undefined;
  #share: SharePolicy;
  #isOutdated = false;
  #publishing: Promise<void> | undefined;
  #forgetFolders: (() => void) | undefined;
  #forgetExit: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(host: EditorHost, serving: ServingOptions) {
    const { options, events, focusedMs } = serving;
    this.#host = host;
    this.#serving = serving;
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#share = serving.share().policy;
    this.#hosts = new JoinedHosts(host, focusedMs, () => {
      this.#followShare();
      for (const { ide } of this.#dialectEndpoints) ide.toolsChanged();
    });
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

  /** What the editor of this process shares has changed: agents are sent at once what they may still know. */
  shareChanged(): void {
    this.#followShare();
    if (!this.#shares.has(this.#hosts.active)) this.#setShare();
  }

  /** Applies what the active editor shares. */
  #followShare(): void {
    const remote = this.#shares.get(this.#hosts.active);
    const { policy, exclude } = this.#serving.share();
    const share = remote === undefined ? policy : { ...defaultSharePolicy, ...policyOf(remote) };
    const globs = remote?.exclude ?? exclude;
    const { excluded } = this.#side;
    const isExcluding = globs.join("\n") !== excluded.globs.join("\n");
    if (isExcluding) {
      excluded.globs = globs;
      this.#claims?.update({ exclude: globs });
    }
    const before = this.#share;
    this.#share = share;
    if (isExcluding || !isSameShare(before, share)) this.#setShare();
  }

  #setShare(): void {
    for (const { ide } of this.#dialectEndpoints) ide.share = this.#side.share(this.#share);
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
      onshare: (host, share) => {
        if (share === undefined) this.#shares.delete(host);
        else this.#shares.set(host, share);
        this.#followShare();
      },
      warn: (error) => this.#warn(error),
    });
  }

  async open(): Promise<void> {
    const folders = await this.#side.folders();
    // In one order in all processes, so that no two of them wait for each other.
    const byClaim = [...folders].sort((one, two) => (one.claim < two.claim ? -1 : 1));
    for (const folder of byClaim) await this.#claims?.add(folder.claim);
    await this.#openSockets(folders);
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
        // What one family of agents lacks does not keep the others from the editor.
        if (index === 0) throw error;
        this.#warn(cannotConnect(dialect, error as Error));
      }
    }
    const endpoints = this.#dialectEndpoints.map(
      ({ dialect, resumption }) => [dialect.id, resumption] as const,
    );
    const exclude = this.#side.excluded.globs;
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

  async #close(): Promise<void> {
    this.#writes.close();
    this.#forgetFolders?.();
    this.#removeLockFiles();
    await this.#publishing;
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
      if (isChanged) this.#serving.events.emit("published");
    }
  }

  /** Those that no other process serves: where there are two, agents connect to neither. */
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
    if (this.#closed === undefined) await this.#openSockets(free);
    return free;
  }

  /** Only for claimed folders: without a state directory there is no claim, and no socket. */
  async #openSockets(folders: readonly OfferedFolder[]): Promise<void> {
    const claimed = folders.filter(({ claim }) => this.#claims?.has(claim));
    await this.#sockets?.follow(claimed.map(({ own }) => own));
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
      share: () => this.#share,
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
    return refuseFolders(recorded, { side, share: () => this.#share });
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

function policyOf({ level, maxTextLength }: MemberShare): Partial<SharePolicy> {
  return { level, maxTextLength };
}

function isSameShare(one: SharePolicy, other: SharePolicy): boolean {
  return (
    one.level === other.level &&
    one.isExcluded === other.isExcluded &&
    one.leadsOutside === other.leadsOutside &&
    one.maxTextLength === other.maxTextLength
  );
}
