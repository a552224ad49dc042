import type { RequestId } from "../../rpc/message.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";
import { McpConnection } from "./connection.ts";
import type { Answer } from "./handle.ts";
import type { ConnectionObserver, SessionState } from "./server-connection.ts";
import type { ServerDefinition } from "./server-options.ts";

type OpenCallbacks = Pick<
  OpenOptions<never>,
  "send" | "reaches" | "onforbidden" | "releaseStream" | "onchange" | "onclose"
>;

/** How `McpServer.open` reaches a client. */
export interface OpenOptions<Context> {
  /** Passed to every tool that the client calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated; unknown by default. */
  readonly principal?: string | undefined;
  /** The scopes of its authorization, for tools that need some; none by default. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Sends a frame other than an answer: a notification, or a question to the client.
   * @param about the client's request that the frame belongs to
   * @param state names the state that the frame carries: a newer frame may replace it while it is unsent
   */
  send(frame: string, about?: RequestId, state?: string): void;
  /** Whether a question can reach the client now; it always can by default. */
  reaches?(about?: RequestId): boolean;
  /** As in `Caller`. */
  onforbidden?(needed: readonly string[]): void;
  /** As in `Caller`. */
  releaseStream?(about: RequestId, retryMs: number): boolean;
  /** Whether notifications for all clients are sent here; true by default. */
  readonly receivesChanges?: boolean;
  /** Continues a session, which needs no further `initialize`. */
  readonly session?: SessionState | undefined;
  /** The id of that session, where it has one. */
  readonly sessionId?: string | undefined;
  readonly observer?: ConnectionObserver;
  /** Called when the client's negotiated parameters or settings have changed. */
  onchange?(session: SessionState): void;
  /** Called once, when the conversation is closed, also when the client has exceeded a limit. */
  onclose?(reason: CloseReason): void;
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle" | "owner">;
}

/** The callbacks of options, to be spread: the options themselves may be an object with its own state. */
export function callbacksOf(options: OpenCallbacks): OpenCallbacks {
  return {
    send: (frame, about, key) => options.send(frame, about, key),
    reaches: (about) => options.reaches?.(about) !== false,
    onforbidden: (needed) => options.onforbidden?.(needed),
    releaseStream: (about, retryMs) => options.releaseStream?.(about, retryMs) === true,
    onchange: (session) => options.onchange?.(session),
    onclose: (reason) => options.onclose?.(reason),
  };
}

/** A conversation of the legacy era, whose messages are carried by the caller. */
export class Conversation<Context = unknown> {
  /** For the server. */
  readonly connection: McpConnection<Context>;

  constructor(server: ServerDefinition<Context>, options: OpenOptions<Context>) {
    const { context, principal, scopes, session, observer, peer = {} } = options;
    this.connection = new McpConnection(server, new Outlet(options), {
      context,
      principal,
      scopes,
      session,
      observer,
      peer,
      era: "legacy",
      opened: options,
    });
  }

  /** The state with which another conversation can continue this one; undefined before `initialize`. */
  get session(): SessionState | undefined {
    return this.connection.session;
  }

  /**
   * Takes one message of the client, or a batch where the revision has them.
   * @param size its length in UTF-16 units, which counts for the limits
   */
  handle(message: unknown, size = 0): Answer {
    let answer: string | undefined;
    let isAnswered = false;
    let resolve: ((text: string | undefined) => void) | undefined;
    this.connection.peer.receive(message, size, (text) => {
      isAnswered = true;
      answer = text;
      resolve?.(text);
    });
    if (isAnswered) return answer;
    return new Promise((taken) => {
      resolve = taken;
    });
  }

  /** Whether a question of the server waits for the answer of an id. */
  awaits(id: RequestId): boolean {
    return this.connection.peer.requests?.awaits(id) === true;
  }

  /** Continues with the changes of the session elsewhere. */
  restore(session: SessionState): void {
    this.connection.restore(session);
  }

  /** Aborts the running calls, without answers. */
  close(): void {
    this.connection.peer.close();
  }
}

/** The transport of a peer that is passed its messages directly. */
class Outlet implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  /** The receiver of the frames limits the unread output. */
  readonly bufferedAmount = 0;
  readonly #options: Pick<OpenOptions<never>, "send" | "reaches" | "onclose">;
  #isClosed = false;

  constructor(options: Pick<OpenOptions<never>, "send" | "reaches" | "onclose">) {
    this.#options = options;
  }

  send(frame: string, about?: RequestId): void {
    if (!this.#isClosed) this.#options.send(frame, about);
  }

  reaches(about?: RequestId): boolean {
    return this.#options.reaches?.(about) !== false;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onclose?.({ code, reason });
    queueMicrotask(() => this.onclose?.({ code, reason }));
  }
}
