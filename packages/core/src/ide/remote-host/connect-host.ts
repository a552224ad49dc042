import type { GenericSchema } from "valibot";
import { Emitter, type Unsubscribe } from "../../emitter.ts";
import { IdewireError, RpcError, RpcErrorCode, ToolFailure } from "../../errors.ts";
import type { Platform, PosixPath } from "../../paths/posix-path.ts";
import type { Call } from "../../rpc/call.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type {
  EditorHost,
  HostEvents,
  Mention,
  OpenDocument,
  Selection,
  SessionId,
} from "../editor-host.ts";
import type { ShareLevel } from "../share-policy.ts";
import * as HostMethod from "./host-method.ts";
import { askEditor, readNothing } from "./remote-members.ts";
import { RemoteRequests } from "./remote-requests.ts";
import { HostSnapshot } from "./snapshot.ts";
import {
  diagnosticsChangedParams,
  mentionParams,
  type SentFrame,
  type ShareChange,
  sentParams,
  shareParams,
} from "./wire-calls.ts";
import { checked, checkedPath, WireFault } from "./wire-fault.ts";
import {
  HOST_PROTOCOL,
  type HostHello,
  helloSchema,
  hostMembers,
  stateSchema,
} from "./wire-state.ts";

/** The methods of the host protocol, by name. */
export * as HostMethod from "./host-method.ts";

const HELLO_TIMEOUT_MS = 30_000;

export interface ConnectHostOptions {
  /** How the editor writes paths, unless its hello says so; `posix` by default. */
  readonly platform?: Platform;
  /** The editor's name to agents; by default the one in its hello. */
  readonly name?: string;
  /** Reads files in place of an editor that does not announce `read`. */
  readonly read?: (host: RemoteHost, path: PosixPath) => Promise<string>;
  /**
   * Sends the agents a mention of the editor, in place of {@link RemoteHost.mention}, and resolves to the
   * sessions that receive it.
   * @throws ToolFailure with the reason when none does
   */
  readonly mention?: (host: RemoteHost, mention: Mention) => Promise<readonly SessionId[]>;
  /** Changes what is shared with agents, and resolves to the level; without it the editor cannot. */
  readonly share?: (host: RemoteHost, change: ShareChange) => Promise<ShareLevel>;
  /** The last messages to agents; without it the editor cannot ask. */
  readonly sent?: () => Promise<readonly SentFrame[]>;
  /** Called with a description of an invalid message, which is also sent to the editor. */
  readonly onproblem?: (message: string) => void;
  readonly clock?: Clock;
}

/** An editor behind a wire. It ends with the peer, which it does not own. */
export interface RemoteHost extends EditorHost {
  readonly platform: Platform;
  /** The newest version of the editor's state. */
  readonly stateVersion: number;
  /** The optional notifications that the editor receives. */
  readonly receives: ReadonlySet<string>;
  /** Emits a mention on behalf of the editor. */
  mention(mention: Mention): void;
  /**
   * Resolves when the editor has disconnected; its diffs are then cancelled and its state is empty.
   */
  readonly closed: Promise<CloseReason>;
}

/**
 * Waits for the `host/hello` of the editor at the other end. The synchronous members of the resulting
 * host return the state that the editor has sent. Call this in the turn in which the peer is created.
 * @throws IdewireError `timeout` when no valid hello arrives in time, `closed`
 */
export function connectHost(peer: Peer, options: ConnectHostOptions = {}): Promise<RemoteHost> {
  const { clock = systemClock } = options;
  return new Promise((resolve, reject) => {
    const endpoint = new EditorHandshake(peer, options);
    const timer = clock.setTimeout(() => {
      endpoint.refuseHello("it arrived too late");
      const seconds = HELLO_TIMEOUT_MS / 1000;
      reject(new IdewireError("timeout", `The editor sent no host/hello within ${seconds} s`));
    }, HELLO_TIMEOUT_MS);
    endpoint.onhello = (host) => {
      clock.clearTimeout(timer);
      resolve(host);
    };
    void peer.closed.then(({ code, reason }) => {
      clock.clearTimeout(timer);
      const why = `The editor closed with ${code} ${reason}`.trimEnd();
      reject(new IdewireError("closed", `${why} before host/hello`));
    });
  });
}

/** Validates the editor's messages. */
class EditorHandshake {
  onhello: (host: RemoteHost) => void = () => {};
  readonly #peer: Peer;
  readonly #options: ConnectHostOptions;
  #host: (RemoteEditor & RemoteHost) | undefined;
  #refusal: string | undefined;

  constructor(peer: Peer, options: ConnectHostOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#take(HostMethod.Hello, helloSchema, (hello) => this.#hello(hello));
    this.#take(HostMethod.State, stateSchema, (state) => this.#connected.apply(state));
    this.#take(HostMethod.DiagnosticsChanged, diagnosticsChangedParams, ({ paths }) => {
      const host = this.#connected;
      const read = paths.map((path, index) => checkedPath(`paths.${index}`, path, host.platform));
      host.events.emit("diagnostics", read);
    });
    this.#take(HostMethod.Mention, mentionParams, (mention) => {
      const host = this.#connected;
      const { lines } = mention;
      if (lines !== undefined && lines.end < lines.start) {
        throw new WireFault(`lines.end: expected ${lines.start} or more, got ${lines.end}`);
      }
      const path = checkedPath("path", mention.path, host.platform);
      return this.#mention(host, { ...mention, path });
    });
    const { share, sent } = options;
    if (share !== undefined) {
      this.#take(HostMethod.Share, shareParams, async (change) => {
        return { level: await share(this.#connected, change) };
      });
    }
    if (sent !== undefined) {
      this.#take(HostMethod.Sent, sentParams, async () => ({ messages: await sent() }));
    }
  }

  refuseHello(why: string): void {
    this.#refusal ??= why;
  }

  get #connected(): RemoteEditor & RemoteHost {
    if (this.#host === undefined) throw new WireFault(`expected ${HostMethod.Hello} first`);
    return this.#host;
  }

  #hello(hello: HostHello): object {
    if (this.#refusal !== undefined) throw new WireFault(this.#refusal);
    const host = createRemoteHost(this.#peer, hello, this.#options);
    this.refuseHello("it was sent before");
    this.#host = host;
    this.onhello(host);
    return { protocol: HOST_PROTOCOL };
  }

  #mention(host: RemoteHost, mention: Mention): unknown {
    const { mention: deliver } = this.#options;
    if (deliver === undefined) return host.mention(mention);
    return deliver(host, mention).then((sessions) => ({ sessions }));
  }

  #take<T>(method: string, schema: GenericSchema<unknown, T>, act: (params: T) => unknown): void {
    this.#peer.handle(method, (call) => {
      const fail = (error: unknown) => this.#fail(method, call, error);
      try {
        const result = act(checked(schema, call.params, "params")) ?? {};
        return result instanceof Promise ? result.catch(fail) : result;
      } catch (error) {
        return fail(error);
      }
    });
  }

  /**
   * An invalid request is answered by an error, an invalid notification by `host/problem`. Nobody awaits the
   * failure of a valid notification.
   */
  #fail(method: string, call: Call, error: unknown): undefined {
    if (error instanceof ToolFailure) {
      if (call.id === undefined) return undefined;
      throw new RpcError(RpcErrorCode.Failure, error.message);
    }
    if (!(error instanceof WireFault)) throw error;
    const message = `${method}: ${error.message}`;
    this.#options.onproblem?.(message);
    if (call.id !== undefined) throw new RpcError(RpcErrorCode.InvalidParams, message);
    call.notify(HostMethod.Problem, { message });
    return undefined;
  }
}

/** The members that use the snapshot. */
class RemoteEditor implements Omit<RemoteHost, "read"> {
  readonly name: string;
  readonly version: string;
  readonly platform: Platform;
  readonly receives: ReadonlySet<string>;
  readonly closed: Promise<CloseReason>;
  readonly events: Emitter<HostEvents> = new Emitter();
  readonly #snapshot: HostSnapshot;

  constructor(peer: Peer, hello: HostHello, platform: Platform, name: string = hello.name) {
    this.name = name;
    this.version = hello.version ?? "unknown";
    this.platform = platform;
    this.receives = new Set(hello.events);
    this.#snapshot = new HostSnapshot(platform);
    this.#snapshot.apply(hello.state, "state.");
    this.closed = peer.closed.then((reason) => {
      this.#snapshot.clear();
      for (const event of ["workspace", "documents", "selection"] as const) this.events.emit(event);
      return reason;
    });
  }

  get stateVersion(): number {
    return this.#snapshot.version;
  }

  workspace(): ReturnType<EditorHost["workspace"]> {
    return this.#snapshot.workspace;
  }

  documents(): readonly OpenDocument[] {
    return this.#snapshot.documents;
  }

  selection(which: "current" | "latest"): Selection | undefined {
    return this.#snapshot.selection(which);
  }

  on<E extends keyof HostEvents>(event: E, listener: HostEvents[E]): Unsubscribe {
    return this.events.on(event, listener);
  }

  mention(mention: Mention): void {
    this.events.emit("mention", mention);
  }

  /** Applies a state of the editor completely before emitting events. */
  apply(state: Parameters<HostSnapshot["apply"]>[0]): void {
    for (const event of this.#snapshot.apply(state)) this.events.emit(event);
  }
}

function createRemoteHost(
  peer: Peer,
  hello: HostHello,
  options: ConnectHostOptions,
): RemoteEditor & RemoteHost {
  const platform = hello.platform ?? options.platform ?? "posix";
  const requests = new RemoteRequests(peer);
  const all = askEditor(requests, platform);
  const announced = hostMembers.filter((member) => hello.members?.includes(member));
  const { read = (_, path) => readNothing(path) } = options;
  const host: RemoteEditor & RemoteHost = Object.assign(
    new RemoteEditor(peer, hello, platform, options.name),
    { read: (path: PosixPath) => read(host, path) },
    Object.fromEntries(announced.map((member) => [member, all[member]])),
  );
  return host;
}
