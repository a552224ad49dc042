import type {
  CallToolResult,
  Clock,
  EditorHost,
  IdeSession,
  SentFact,
  SharePolicy,
  UnreviewedWrites,
  Unsubscribe,
} from "@idewire/core";
import { Emitter, IdewireError } from "@idewire/core";
import { type IdeEndpoint, type IdeListener, listenIde } from "@idewire/node-server";
import { createVaultDialect } from "./vault-dialect.ts";

/** Where a connection stands. */
export type VaultConnectionState =
  | { readonly kind: "starting" }
  | { readonly kind: "listening" }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "closed" };

export interface VaultConnectionOptions {
  readonly host: EditorHost;
  readonly share: SharePolicy;
  /** Settles when it is known what may be shared; nobody is let in before. */
  readonly known: () => Promise<unknown>;
  /** Where discovery files go. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Links by which the vault is reached too. */
  readonly links: readonly string[];
  readonly clock: Clock;
}

export interface VaultConnectionEvents {
  /** The state, or who is connected, has changed. */
  change(): void;
  /** An agent has said who it is. */
  came(session: IdeSession): void;
  /** An agent wrote files, and nobody was asked here. */
  unreviewed(session: IdeSession, writes: UnreviewedWrites): void;
  sent(session: IdeSession, fact: SentFact, frame: string): void;
  /** An agent has called a tool; the answer is undefined when that failed. */
  answered(session: IdeSession, tool: string, answer: CallToolResult | undefined): void;
}

/** The plugin that was here before an update needs a moment to leave the port. */
const RETRIES = 6;
const RETRY_MS = 500;

/** The vault's place among the editors of this machine: agents find it, connect, and leave. */
export class VaultConnection {
  readonly #options: VaultConnectionOptions;
  readonly #events = new Emitter<VaultConnectionEvents>();
  readonly #sinceMs = new WeakMap<IdeSession, number>();
  #share: SharePolicy;
  #state: VaultConnectionState = { kind: "closed" };
  #listener: IdeListener | undefined;
  #retry: unknown;

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
    return this.#listener?.warnings ?? [];
  }

  /** Who is connected, and has said who it is. */
  get sessions(): readonly IdeSession[] {
    return [...(this.#listener?.sessions ?? [])].filter(({ agent }) => agent !== undefined);
  }

  /** Since when a session is connected, in milliseconds since 1970. */
  sinceMs(session: IdeSession): number {
    return this.#sinceMs.get(session) ?? Date.now();
  }

  /** Tells the agents at once what is left. */
  set share(policy: SharePolicy) {
    this.#share = policy;
    if (this.#listener !== undefined) this.#listener.share = policy;
  }

  on<E extends keyof VaultConnectionEvents>(
    event: E,
    listener: VaultConnectionEvents[E],
  ): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Listens, and publishes where; what goes wrong is the state then. */
  async start(): Promise<void> {
    if (this.#state.kind === "starting" || this.#state.kind === "listening") return;
    this.#change({ kind: "starting" });
    await this.#listen(RETRIES);
  }

  /** Takes the discovery file away in this very turn, so that it works while a window closes. */
  async close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#options.clock.clearTimeout(this.#retry);
    this.#change({ kind: "closed" });
    await listener?.close();
  }

  async #listen(retries: number): Promise<void> {
    const { host, env, links, known } = this.#options;
    try {
      await known();
      const listener = await listenIde({
        host,
        env: env(),
        links,
        share: this.#share,
        dialects: [
          createVaultDialect((session, tool, answer) =>
            this.#events.emit("answered", session, tool, answer),
          ),
        ],
      });
      // It may have been closed meanwhile.
      if (this.#state.kind !== "starting") return void listener.close();
      this.#take(listener);
    } catch (error) {
      if (this.#state.kind !== "starting") return;
      const isLeaving = error instanceof IdewireError && error.code === "folder-in-use";
      if (!isLeaving || retries === 0) this.#change({ kind: "failed", error: error as Error });
      else await this.#listenLater(retries - 1);
    }
  }

  #listenLater(retries: number): Promise<void> {
    return new Promise((resolve) => {
      this.#retry = this.#options.clock.setTimeout(
        () => void this.#listen(retries).then(resolve),
        RETRY_MS,
      );
    });
  }

  #take(listener: IdeListener): void {
    this.#listener = listener;
    // What was chosen while it started.
    listener.share = this.#share;
    listener.on("initialized", (session) => {
      this.#sinceMs.set(session, Date.now());
      this.#events.emit("change");
      this.#events.emit("came", session);
    });
    listener.on("disconnected", () => this.#events.emit("change"));
    listener.on("unreviewed", (session, writes) => {
      this.#events.emit("unreviewed", session, writes);
    });
    listener.on("sent", (session, fact, frame) => {
      this.#events.emit("sent", session, fact, frame);
    });
    listener.on("call", (_, { method }) => {
      // A pid is told after the handshake.
      if (method === "ide_connected") this.#events.emit("change");
    });
    this.#change({ kind: "listening" });
  }

  #change(state: VaultConnectionState): void {
    this.#state = state;
    this.#events.emit("change");
  }
}
