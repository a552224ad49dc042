import {
  connectHost,
  type DiffRequest,
  type EditorHost,
  type Emitter,
  type IdeSession,
  type RemoteHost,
  toNativePath,
} from "@idewire/core";
import { isObject, type JoinedHosts, overrideHost } from "@idewire/core/internal";
import { IdewireError, type Peer, RpcError, RpcErrorCode } from "@idewire/core/rpc";
import * as v from "valibot";
import { platform } from "../../process/platform.ts";
import type { IdeEndpoint, IdeListenerEvents } from "../listen-options.ts";
import * as protocol from "./protocol.ts";

export interface JoinersOptions {
  readonly hosts: JoinedHosts;
  readonly events: Emitter<IdeListenerEvents>;
  readonly endpoints: () => readonly IdeEndpoint[];
  readonly sessions: () => Iterable<IdeSession>;
  /** Why no process can join; undefined if any can. */
  readonly refusal: () => string | undefined;
  /** Called when the share policy of an editor has changed, or it has left. */
  readonly onshare: (host: EditorHost, share: protocol.MemberShare | undefined) => void;
  readonly warn: (error: Error) => void;
}

/** The limit of joined editors: each remains connected, in addition to the commands of the person. */
export const MAX_EDITORS = 64;

/** The editors of other processes that have joined this one, and the messages to these processes. */
export class Joiners {
  readonly #options: JoinersOptions;
  readonly #peers = new Set<Peer>();
  readonly #stops: readonly (() => void)[];
  #sent = "";

  constructor(options: JoinersOptions) {
    this.#options = options;
    const { events } = options;
    const changes = [
      ...["connected", "initialized", "identified", "ready", "disconnected", "published"],
    ] as const;
    this.#stops = [
      ...changes.map((event) => events.on(event as "published", () => this.#sendFacts())),
      events.on("written", (session, { path, ...write }) => {
        const fact = { ...write, path: toNativePath(path, platform), ...sessionOf(session) };
        this.#send(protocol.Written, fact satisfies protocol.WrittenFact);
      }),
      events.on("unreviewed", (session, { paths, isCertain }) => {
        const native = paths.map((path) => toNativePath(path, platform));
        const fact = { paths: native, isCertain, ...sessionOf(session) };
        this.#send(protocol.Unreviewed, fact satisfies protocol.UnreviewedFact);
      }),
    ];
  }

  /** Allows the process at the other end to join. */
  accept(peer: Peer): void {
    peer.handle(protocol.Join, ({ params }) => {
      const refusal = this.#options.refusal() ?? this.#isFull();
      if (refusal !== undefined) throw new RpcError(RpcErrorCode.Failure, refusal);
      const version = isObject(params) ? params["protocol"] : undefined;
      if (version !== protocol.JOIN_PROTOCOL) throw otherVersion(version);
      const request = v.safeParse(protocol.joinRequest, params);
      if (!request.success || this.#peers.has(peer)) {
        throw new RpcError(RpcErrorCode.InvalidParams, `${protocol.Join}: it is invalid`);
      }
      this.#join(peer, request.output);
      return this.#facts;
    });
  }

  /** Passes a warning for the person on to the editors of the other processes. */
  sendWarning({ message, code, path }: Error & { code?: unknown; path?: unknown }): void {
    const known = {
      ...(typeof code === "string" && { code }),
      ...(typeof path === "string" && { path }),
    };
    this.#send(protocol.Warning, { message, ...known } satisfies protocol.WarningFact);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #isFull(): string | undefined {
    if (this.#peers.size < MAX_EDITORS) return undefined;
    return `${MAX_EDITORS} editors have joined it, and no more may: close one of them`;
  }

  #join(peer: Peer, { share, focusedMs, watchesFiles }: protocol.JoinRequest): void {
    this.#peers.add(peer);
    void peer.closed.then(() => this.#peers.delete(peer));
    const { hosts, onshare } = this.#options;
    let current = share;
    let member: EditorHost | undefined;
    peer.handle(protocol.Focus, () => {
      if (member !== undefined) hosts.focus(member);
    });
    peer.handle(protocol.Changed, ({ params }) => {
      const changed = v.safeParse(protocol.changedFact, params);
      if (member === undefined || !changed.success) return;
      hosts.written(member, protocol.pathsOf(changed.output.paths));
    });
    peer.handle(protocol.Share, ({ params }) => {
      const changed = v.safeParse(protocol.memberShare, params);
      if (!changed.success) return;
      current = changed.output;
      if (member !== undefined) onshare(member, current);
    });
    connectHost(peer, { platform }).then(
      (remote) => {
        const host = this.#withLostDiffs(remote, peer);
        member = host;
        onshare(host, current);
        const leave = hosts.add(host, { focusedMs, watchesFiles });
        void remote.closed.then(() => {
          leave();
          onshare(host, undefined);
        });
      },
      () => peer.close(),
    );
  }

  /** Adds a warning for each diff that is left to the agent's own terminal because its editor has ended. */
  #withLostDiffs(remote: RemoteHost, peer: Peer): EditorHost {
    const openDiff = remote.openDiff?.bind(remote);
    if (openDiff === undefined) return remote;
    return overrideHost(remote, {
      openDiff: async (request, signal) => {
        const outcome = await openDiff(request, signal);
        const isLost = outcome.kind === "cancelled" && !signal.aborted;
        if (isLost && peer.closing !== undefined)
          this.#options.warn(describeLost(request, remote.name));
        return outcome;
      },
    });
  }

  get #facts(): protocol.JoinFacts {
    const { endpoints, sessions } = this.#options;
    return {
      pid: process.pid,
      endpoints: endpoints(),
      sessions: [...sessions()].map(toFacts),
    };
  }

  #sendFacts(): void {
    if (this.#peers.size === 0) return;
    const facts = this.#facts;
    const text = JSON.stringify(facts);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send(protocol.Facts, facts);
  }

  #send(method: string, fact: object): void {
    for (const peer of this.#peers) peer.notify(method, { ...fact });
  }
}

function otherVersion(version: unknown): RpcError {
  const seen = JSON.stringify(version) ?? "none";
  const text = `it joins by version ${seen.slice(0, 20)}, and this process by ${protocol.JOIN_PROTOCOL}: they are of different versions of idewire`;
  return new RpcError(RpcErrorCode.Failure, text);
}

function describeLost({ path, title }: DiffRequest, editor: string): IdewireError {
  const text = `${path}: the change ${title} was waiting in ${editor} when that was ended; answer it in the terminal of the agent`;
  return new IdewireError("closed", text);
}

function sessionOf(session: IdeSession | undefined): { readonly session?: string } {
  return session === undefined ? {} : { session: session.id };
}

function toFacts(session: IdeSession): protocol.SessionFacts {
  const { id, dialect, agent, pid, continued, ready, takesMentions, clientKind } = session;
  const { name, version, title } = agent ?? {};
  const hasAgent = name !== undefined && version !== undefined;
  return {
    ...{ id, dialect, continued, ready, takesMentions, clientKind },
    ...(hasAgent && { agent: { name, version, ...(title !== undefined && { title }) } }),
    ...(pid !== undefined && { pid }),
    ...(session.title !== undefined && { title: session.title }),
  };
}
