import { connect, type Socket } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import {
  type EditorHost,
  Emitter,
  type HostEvents,
  type IdeSession,
  type PosixPath,
  type SharePolicy,
  serveHost,
  toNativePath,
} from "@idewire/core";
import { answerLimits } from "@idewire/core/internal";
import { CloseCode, IdewireError, Peer, RpcError } from "@idewire/core/rpc";
import type * as v from "valibot";
import { safeParse } from "valibot";
import type { Environment } from "../../files/directories.ts";
import { controlPath, MAX_CONTROL_BYTES, pathFault } from "../../files/folder-socket.ts";
import { platform } from "../../process/platform.ts";
import { createStdioTransport } from "../../stdio/stdio-transport.ts";
import type { IdeEndpoint, IdeListenerEvents } from "../listen-options.ts";
import * as protocol from "./protocol.ts";
import { RemoteSession } from "./remote-session.ts";
import { createSharedHost } from "./shared-host.ts";

/** A process that is stopped answers nothing. */
const ANSWER_MS = 3_000;

export interface JoinOptions {
  readonly env: Environment;
  readonly events: Emitter<IdeListenerEvents>;
  readonly focusedMs: number;
  readonly share: () => SharePolicy;
  readonly exclude: () => readonly string[];
  readonly isExcluded: (path: PosixPath) => boolean;
  readonly onerror: ((error: Error) => void) | undefined;
  readonly warn: (error: Error) => void;
}

let joins = 0;

/**
 * Joins the process that serves a folder with an editor of this process.
 * @param folder a real native path
 * @throws IdewireError `unreachable` when no process listens for others, `folder-in-use` with the reason when that
 * process is of another version, does not answer or does not serve others
 */
export async function joinEditor(
  host: EditorHost,
  folder: string,
  options: JoinOptions,
): Promise<JoinedEditor> {
  const path = controlPath(options.env, folder);
  const fault = pathFault(path);
  if (fault !== undefined) throw new IdewireError("unreachable", fault);
  const socket = await dial(path);
  const joined = new JoinedEditor(socket, host, options);
  try {
    await joined.open();
    return joined;
  } catch (error) {
    joined.close();
    throw new IdewireError("folder-in-use", reasonOf(error), { path: folder, cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RpcError) return error.message;
  const isClosed = error instanceof IdewireError && error.code === "closed";
  return isClosed ? "it has closed the connection" : "it does not answer";
}

function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const fail = (cause?: unknown) => {
      clearTimeout(timer);
      socket.on("error", () => {}).destroy();
      reject(new IdewireError("unreachable", `nothing listens at ${path}`, { cause }));
    };
    const timer = setTimeout(fail, ANSWER_MS);
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

/** An editor of this process among those of the process that serves its folders. */
export class JoinedEditor {
  /** Resolves when the other process has ended, or has closed. */
  readonly closed: Promise<void>;
  readonly #host: EditorHost;
  readonly #peer: Peer;
  readonly #options: JoinOptions;
  readonly #sessions = new Map<string, RemoteSession>();
  #endpoints: readonly IdeEndpoint[] = [];
  readonly #changes = new Emitter<Pick<HostEvents, "documents" | "selection">>();
  #isFocused = false;
  #forgetWritten: () => void = () => {};

  constructor(socket: Socket, host: EditorHost, options: JoinOptions) {
    const { onerror } = options;
    this.#options = options;
    const transport = createStdioTransport(socket, socket, { maxFrameBytes: MAX_CONTROL_BYTES });
    this.#peer = new Peer(transport, { ...answerLimits, ...(onerror && { onerror }) });
    joins += 1;
    this.#host = createSharedHost(host, {
      isExcluded: options.isExcluded,
      prefix: `j${joins}.`,
      changes: this.#changes,
    });
    this.closed = this.#peer.closed.then(() => {
      this.#forgetWritten();
      this.#setSessions([]);
    });
  }

  get endpoints(): readonly IdeEndpoint[] {
    return this.#endpoints;
  }

  get sessions(): ReadonlySet<IdeSession> {
    return new Set(this.#sessions.values());
  }

  /** @throws RpcError with the reason, IdewireError `timeout`, `closed`, `protocol` */
  async open(): Promise<void> {
    this.#listen();
    const { focusedMs } = this.#options;
    const request: protocol.JoinRequest = {
      protocol: protocol.JOIN_PROTOCOL,
      focusedMs,
      watchesFiles: this.#host.fileVersion !== undefined,
      share: this.#share,
    };
    const answer = await this.#peer.request(
      protocol.Join,
      { ...request },
      { timeoutMs: ANSWER_MS },
    );
    const facts = safeParse(protocol.joinFacts, answer);
    if (!facts.success) throw new IdewireError("protocol", `${protocol.Join}: an invalid answer`);
    this.#setFacts(facts.output);
    await serveHost(this.#peer, this.#host, { platform });
    this.#forgetWritten = this.#host.on("written", (paths) => {
      const native = paths.map((path) => toNativePath(path, platform));
      this.#peer.notify(protocol.Changed, { paths: native } satisfies protocol.ChangedFact);
    });
  }

  /** Called when the share policy of this editor has changed. */
  shareChanged(): void {
    this.#peer.notify(protocol.Share, { ...this.#share });
    this.#changes.emit("documents");
    this.#changes.emit("selection");
  }

  /** The person is in this editor now. */
  focus(): void {
    if (this.#isFocused) return;
    this.#isFocused = true;
    // After the state that has changed in this turn.
    setImmediate(() => {
      this.#isFocused = false;
      this.#peer.notify(protocol.Focus);
    });
  }

  close(): void {
    this.#peer.close(CloseCode.GoingAway);
  }

  get #share(): protocol.MemberShare {
    const { level, maxTextLength } = this.#options.share();
    return { level, maxTextLength, exclude: this.#options.exclude() };
  }

  #listen(): void {
    const { events, warn } = this.#options;
    const bySession = (id: string | undefined) =>
      id === undefined ? undefined : this.#sessions.get(id);
    this.#take(protocol.Facts, protocol.joinFacts, (facts) => {
      const isMoved = JSON.stringify(facts.endpoints) !== JSON.stringify(this.#endpoints);
      this.#setFacts(facts);
      if (isMoved) events.emit("published");
    });
    this.#take(protocol.Written, protocol.writtenFact, ({ path: native, session, ...write }) => {
      for (const path of protocol.pathsOf([native])) {
        events.emit("written", bySession(session), { ...write, path });
      }
    });
    this.#take(protocol.Unreviewed, protocol.unreviewedFact, ({ session, paths, isCertain }) => {
      events.emit("unreviewed", bySession(session), { paths: protocol.pathsOf(paths), isCertain });
    });
    this.#take(protocol.Warning, protocol.warningFact, ({ code, message, path }) => {
      const known = path === undefined ? {} : { path };
      warn(
        code === undefined ? new Error(message) : new IdewireError(codeOf(code), message, known),
      );
    });
  }

  #take<T>(method: string, schema: v.GenericSchema<unknown, T>, act: (fact: T) => void): void {
    this.#peer.handle(method, ({ params }) => {
      const fact = safeParse(schema, params);
      if (fact.success) act(fact.output);
    });
  }

  #setFacts({ endpoints, sessions }: protocol.JoinFacts): void {
    this.#endpoints = endpoints;
    this.#setSessions(sessions);
  }

  #setSessions(now: readonly protocol.SessionFacts[]): void {
    const { events, share } = this.#options;
    const reason = { code: CloseCode.GoingAway, reason: "" };
    for (const [id, session] of this.#sessions) {
      if (now.some((facts) => facts.id === id)) continue;
      this.#sessions.delete(id);
      session.ended(reason);
      events.emit("disconnected", session, reason);
    }
    for (const facts of now) {
      const known = this.#sessions.get(facts.id);
      const before: Partial<protocol.SessionFacts> = known?.facts ?? {};
      const session = known ?? new RemoteSession(facts, share);
      session.facts = facts;
      this.#sessions.set(facts.id, session);
      if (known === undefined) events.emit("connected", session);
      if (facts.agent !== undefined && before.agent === undefined) {
        events.emit("initialized", session);
      }
      if (facts.pid !== before.pid || facts.title !== before.title) {
        events.emit("identified", session);
      }
      if (facts.ready && before.ready !== true) events.emit("ready", session);
    }
  }
}

/** Of those that a person can do something about. */
function codeOf(code: string): "folder-in-use" | "file-system" | "port-in-use" | "closed" {
  return code === "folder-in-use" || code === "file-system" || code === "port-in-use"
    ? code
    : "closed";
}
