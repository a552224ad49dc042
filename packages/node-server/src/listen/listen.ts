import { setImmediate } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import {
  defaultSharePolicy,
  type EditorHost,
  Emitter,
  type IdeSession,
  type PosixPath,
  type SharePolicy,
} from "@idewire/core";
import { backOffMs, FocusWatch, requireKnownOptions, requireMembers } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { ExcludedFiles } from "../files/excluded-files.ts";
import { refuseOpenBind } from "../loopback-server/listen-at.ts";
import { refuseCollisions } from "./agent-side.ts";
import { type JoinedEditor, joinEditor } from "./join/join.ts";
import {
  type IdeEndpoint,
  type IdeListener,
  type IdeListenerEvents,
  type ListenIdeOptions,
  listenIdeNames,
} from "./listen-options.ts";
import { Serving } from "./serving.ts";

/** The members that every host has. */
const hostMembers = ["workspace", "documents", "selection", "read", "on"] as const;

/** The number of attempts to join a process that is starting or ending, before the folder counts as in use. */
const START_TRIES = 3;
/** The pauses between attempts to take over. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/**
 * Lets the agents of this machine find an editor: listens, publishes the discovery files, admits
 * clients that have the token, and sends each session the host's state.
 *
 * A listener added in the turn in which this resolves misses nothing: no client is admitted before.
 *
 * If another process already serves a folder of the host, the editor joins it, and takes over when that process
 * ends: at the same port, with the same token. Agents see the state of the joined editor that the person used last.
 *
 * @throws IdewireError `folder-in-use` when another process serves a folder of this host and cannot be joined,
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
  // An agent may have reconnected to its old port already: it waits until our caller has had time to subscribe.
  setImmediate(() => listener.admit());
  return listener;
}

/** The current role of an editor for agents. */
type Part = Serving | JoinedEditor;

class NodeIdeListener implements IdeListener {
  readonly warnings: Error[] = [];
  readonly #host: EditorHost;
  readonly #options: ListenIdeOptions;
  readonly #events = new Emitter<IdeListenerEvents>();
  readonly #excluded: ExcludedFiles;
  readonly #focus: FocusWatch;
  readonly #closing = new AbortController();
  #share: SharePolicy;
  #part: Part | undefined;
  #isAdmitting = false;
  #changing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(host: EditorHost, options: ListenIdeOptions) {
    this.#host = host;
    this.#options = options;
    this.#share = { ...defaultSharePolicy, ...options.share };
    this.#excluded = new ExcludedFiles({
      folders: () => host.workspace().folders.map(({ path }) => path),
      globs: options.exclude,
      env: options.env ?? process.env,
    });
    this.#focus = new FocusWatch(host, () => this.#part?.focus());
    refuseOpenBind("address", options.address, options.allowedHosts);
    refuseCollisions(options);
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#part?.endpoints ?? [];
  }

  get sessions(): ReadonlySet<IdeSession> {
    return this.#part?.sessions ?? new Set();
  }

  get joined(): boolean {
    return this.#part !== undefined && !(this.#part instanceof Serving);
  }

  get share(): SharePolicy {
    return this.#share;
  }

  set share(policy: SharePolicy) {
    this.#share = policy;
    this.#part?.shareChanged();
  }

  readonly isExcluded = (path: PosixPath): boolean =>
    this.#share.isExcluded(path) || this.#excluded.has(path);

  get exclude(): readonly string[] {
    return this.#excluded.globs;
  }

  set exclude(globs: readonly string[]) {
    this.#excluded.globs = globs;
    this.#part?.shareChanged();
  }

  on<E extends keyof IdeListenerEvents>(event: E, listener: IdeListenerEvents[E]): () => void {
    return this.#events.on(event, listener);
  }

  async open(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#begin();
        return;
      } catch (error) {
        if (!isUnreachable(error) || tries === START_TRIES) throw error;
        await sleep(backOffMs(tries, FIRST_PAUSE_MS));
      }
    }
  }

  admit(): void {
    this.#isAdmitting = true;
    if (this.#part instanceof Serving) this.#part.admit();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#focus.close();
    await this.#part?.close();
    await this.#changing;
    await this.#part?.close();
  }

  async #begin(): Promise<void> {
    const { focusedMs } = this.#focus;
    const part = await this.#enter();
    this.#part = part;
    // It may have changed meanwhile.
    part.shareChanged();
    // The person may have switched to this editor meanwhile.
    if (this.#focus.focusedMs > focusedMs) part.focus();
    if (!(part instanceof Serving)) this.#takeOverAfter(part);
    else if (this.#isAdmitting) part.admit();
  }

  /** Serves the folders, or joins the process that does. */
  async #enter(): Promise<Part> {
    const serving = this.#createServing();
    try {
      await serving.open();
      return serving;
    } catch (error) {
      await serving.close();
      if (!isInUse(error) || this.#options.pathMap !== undefined) throw error;
      return this.#join(error);
    }
  }

  #createServing(): Serving {
    return new Serving(this.#host, {
      options: this.#options,
      events: this.#events,
      share: () => ({ policy: this.#share, exclude: this.exclude }),
      focusedMs: this.#focus.focusedMs,
      warn: (error) => this.#warn(error),
    });
  }

  /** @throws IdewireError `folder-in-use` when the process cannot be joined */
  async #join(inUse: IdewireError): Promise<JoinedEditor> {
    const { path: folder = "" } = inUse;
    try {
      const joined = await joinEditor(this.#host, folder, {
        env: this.#options.env ?? process.env,
        events: this.#events,
        focusedMs: this.#focus.focusedMs,
        share: () => this.#share,
        exclude: () => this.exclude,
        isExcluded: this.isExcluded,
        onerror: this.#options.onerror,
        warn: (error) => this.#warn(error),
      });
      this.#demandPort(joined, inUse);
      return joined;
    } catch (error) {
      if (!(error instanceof IdewireError) || error === inUse) throw error;
      const cannot = `${inUse.message}. This one cannot join it: ${error.message}`;
      throw new IdewireError("folder-in-use", cannot, { path: folder, cause: error });
    }
  }

  /** An editor at another port is not joined when a certain port is asked for. */
  #demandPort(joined: JoinedEditor, inUse: IdewireError): void {
    const { port = 0 } = this.#options;
    if (port === 0 || joined.endpoints.some((endpoint) => endpoint.port === port)) return;
    joined.close();
    throw inUse;
  }

  /** Once the process that serves has ended, one of those that have joined it serves, and the others join that one. */
  #takeOverAfter(joined: JoinedEditor): void {
    void joined.closed.then(() => {
      if (this.#closing.signal.aborted) return;
      this.#part = undefined;
      this.#changing = this.#takeOver();
    });
  }

  async #takeOver(): Promise<void> {
    let reported = "";
    for (let tries = 0; !this.#closing.signal.aborted; tries += 1) {
      try {
        await this.#begin();
        this.#events.emit("published");
        return;
      } catch (error) {
        const { message } = error as Error;
        if (message !== reported && !isUnreachable(error)) this.#warn(error as Error);
        reported = message;
        const pauseMs = backOffMs(tries, FIRST_PAUSE_MS, MAX_PAUSE_MS);
        const { signal } = this.#closing;
        await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      }
    }
  }

  #warn(error: Error): void {
    if (this.#events.has("warning")) this.#events.emit("warning", error);
    else if (this.warnings.length < 100) this.warnings.push(error);
  }
}

function isInUse(error: unknown): error is IdewireError {
  return error instanceof IdewireError && error.code === "folder-in-use";
}

/** Whether the process that serves a folder does not listen for others yet, or no longer does. */
function isUnreachable(error: unknown): boolean {
  if (!isInUse(error)) return false;
  const { cause } = error;
  return cause instanceof IdewireError && cause.code === "unreachable";
}
