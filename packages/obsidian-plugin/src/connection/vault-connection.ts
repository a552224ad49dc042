import type {
  Dialect,
  EditorHost,
  IdeSession,
  Mention,
  SharePolicy,
  Unsubscribe,
} from "@idewire/core";
import { Emitter } from "@idewire/core";
import type {
  AgentWrite,
  AnnotateDiagnostics,
  MentionDelivery,
  SentFact,
  UnreviewedWrites,
} from "@idewire/core/internal";
import type { Clock } from "@idewire/core/rpc";
import { IdewireError, ToolFailure } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { type IdeEndpoint, type IdeListener, listenIde } from "@idewire/node-server";
import { recipientsOf } from "@idewire/node-server/internal";
import { reportAnswers } from "../privacy/answer-listener.ts";
import { otherAgents } from "./other-agents.ts";
import { vaultDialect } from "./vault-dialect.ts";

/** The state of the connection. */
export type VaultConnectionState =
  | { readonly kind: "starting" }
  | { readonly kind: "listening" }
  /** Another window of this vault, or another program, serves it; this one takes over when that stops. */
  | { readonly kind: "waiting"; readonly error: Error }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "closed" };

export interface VaultConnectionOptions {
  readonly host: EditorHost;
  readonly share: SharePolicy;
  /** Remarks that agents receive with the diagnostics. */
  readonly annotateDiagnostics: AnnotateDiagnostics;
  /** Settles when the exclusions are known; no agent is accepted before. */
  readonly known: () => Promise<unknown>;
  /** The directories of discovery files. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /**
   * The files that agents may never see, as patterns: they are also recorded for `idewire run`, which passes them on
   * to the agent.
   */
  readonly exclude: () => readonly string[];
  /** The ids of the dialects of the other agents that may connect. */
  readonly agents: () => readonly string[];
  /** Other paths of the vault, through symbolic links. */
  readonly links: readonly string[];
  readonly clock: Clock;
}

export interface VaultConnectionEvents {
  /** The state or the list of sessions has changed. */
  change(): void;
  /** An agent has completed the handshake. */
  came(session: IdeSession): void;
  /** Files were written without a review here; without a session when several agents may have done so. */
  unreviewed(session: IdeSession | undefined, writes: UnreviewedWrites): void;
  /** As `unreviewed`, but at once, and after a review, too. */
  written(session: IdeSession | undefined, write: AgentWrite): void;
  sent(session: IdeSession, fact: SentFact, frame: string): void;
  /** A failure that ends nothing, noticed while agents are served. */
  warning(error: Error): void;
  /** An agent has called a tool; the answer is undefined if the call failed. */
  answered(session: IdeSession, tool: string, answer: CallToolResult | undefined): void;
}

/** After an update the previous instance of the plugin takes a moment to release the folder. */
const RETRIES = 6;
const RETRY_MS = 500;
/** The interval of checks whether another window still serves the vault. */
const WAIT_MS = 1_000;
const MAX_WARNINGS = 100;

/** Publishes the vault and listens for agents on this machine. */
export class VaultConnection {
  readonly #options: VaultConnectionOptions;
  readonly #events = new Emitter<VaultConnectionEvents>();
  readonly #sinceMs = new WeakMap<IdeSession, number>();
  #share: SharePolicy;
  #state: VaultConnectionState = { kind: "closed" };
  #listener: IdeListener | undefined;
  /** Those of the listener since it admits agents. */
  #warnings: Error[] = [];
  #opening = new AbortController();

  constructor(options: VaultConnectionOptions) {
    this.#options = options;
    this.#share = options.share;
  }

  get state(): VaultConnectionState {
    return this.#state;
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#listener?.endpoints ?? [];
  }

  get warnings(): readonly Error[] {
    return [...(this.#listener?.warnings ?? []), ...this.#warnings];
  }

  /** The sessions that have completed the handshake. */
  get sessions(): readonly IdeSession[] {
    return [...(this.#listener?.sessions ?? [])].filter(({ agent }) => agent !== undefined);
  }

  /**
   * The sessions that a mention reaches, and those that cannot be sent one.
   * @throws ToolFailure when nothing of the file is shared, or no agent is meant
   */
  recipientsOf(mention: Mention): MentionDelivery {
    if (this.#listener === undefined) throw new ToolFailure("agents cannot connect to this vault");
    return recipientsOf(mention, this.#listener);
  }

  /** When a session connected, in milliseconds since 1970. */
  sinceMs(session: IdeSession): number {
    return this.#sinceMs.get(session) ?? Date.now();
  }

  /** Takes effect immediately: agents are sent the remaining state. */
  set share(policy: SharePolicy) {
    this.#share = policy;
    this.excludedChanged();
    if (this.#listener !== undefined) this.#listener.share = policy;
  }

  /** Other files are excluded than before. */
  excludedChanged(): void {
    if (this.#listener === undefined) return;
    const exclude = this.#options.exclude();
    if (exclude.join("\n") !== this.#listener.exclude.join("\n")) this.#listener.exclude = exclude;
  }

  on<E extends keyof VaultConnectionEvents>(
    event: E,
    listener: VaultConnectionEvents[E],
  ): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /**
   * Listens and publishes the lock file, or waits for the window that serves the vault to close. Never
   * rejects: failures are in `state`.
   */
  async start(): Promise<void> {
    const { kind } = this.#state;
    if (kind !== "closed" && kind !== "failed") return;
    this.#opening = new AbortController();
    this.#change({ kind: "starting" });
    await this.#listen(RETRIES, this.#opening.signal);
  }

  /** Removes the lock file synchronously, so that it works while a window closes. */
  async close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#opening.abort();
    this.#change({ kind: "closed" });
    await listener?.close();
  }

  /** @param closed aborted by {@link close}, after which another start may be under way */
  async #listen(retries: number, closed: AbortSignal): Promise<void> {
    const { host, env, links, known } = this.#options;
    try {
      await known();
      const listener = await listenIde(host, {
        env: env(),
        links,
        annotateDiagnostics: this.#options.annotateDiagnostics,
        share: this.#share,
        exclude: this.#options.exclude(),
        dialects: [vaultDialect, ...this.#others()],
        around: reportAnswers((session, tool, answer) =>
          this.#events.emit("answered", session, tool, answer),
        ),
      });
      if (closed.aborted) return void listener.close();
      this.#take(listener);
    } catch (error) {
      if (closed.aborted) return;
      const isServed = error instanceof IdewireError && error.code === "folder-in-use";
      if (!isServed) this.#change({ kind: "failed", error: error as Error });
      else if (retries > 0) await this.#listenLater(RETRY_MS, retries - 1, closed);
      else this.#wait(error, closed);
    }
  }

  #others(): readonly Dialect[] {
    const ids = this.#options.agents();
    return otherAgents.map(({ dialect }) => dialect).filter(({ id }) => ids.includes(id));
  }

  #wait(error: Error, closed: AbortSignal): void {
    const { state } = this;
    const isKnown = state.kind === "waiting" && state.error.message === error.message;
    if (!isKnown) this.#change({ kind: "waiting", error });
    void this.#listenLater(WAIT_MS, 0, closed);
  }

  #listenLater(delayMs: number, retries: number, closed: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const stop = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      const timer = clock.setTimeout(() => {
        closed.removeEventListener("abort", stop);
        void this.#listen(retries, closed).then(resolve);
      }, delayMs);
      closed.addEventListener("abort", stop);
    });
  }

  #take(listener: IdeListener): void {
    this.#listener = listener;
    this.#warnings = [];
    listener.on("warning", (error) => {
      if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(error);
      this.#events.emit("warning", error);
    });
    // The policy and the exclusions may have changed while it started.
    this.share = this.#share;
    listener.on("initialized", (session) => {
      this.#sinceMs.set(session, Date.now());
      this.#events.emit("change");
      this.#events.emit("came", session);
    });
    listener.on("disconnected", () => this.#events.emit("change"));
    listener.on("unreviewed", (session, writes) => {
      this.#events.emit("unreviewed", session, writes);
    });
    listener.on("written", (session, write) => this.#events.emit("written", session, write));
    listener.on("sent", (session, fact, frame) => {
      this.#events.emit("sent", session, fact, frame);
    });
    listener.on("call", (_, { method }) => {
      // The pid arrives after the handshake.
      if (method === "ide_connected") this.#events.emit("change");
    });
    this.#change({ kind: "listening" });
  }

  #change(state: VaultConnectionState): void {
    this.#state = state;
    this.#events.emit("change");
  }
}
