import type { IdeServer } from "@idewire/core";
import {
  type AgentFacts,
  callbacksOf,
  type OpenOptions,
  type ServedConversation,
} from "@idewire/core/internal";
import { evictOldest } from "@idewire/core/internal/base";
import type { CloseReason, Transport } from "@idewire/core/rpc";
import type { Served } from "@idewire/http/internal";
import type { ConnectionOrigin, ListenIdeOptions } from "./listen-options.ts";

type LegacyIde = IdeServer["legacy"];

/** How many sessions may begin at once, at most, whose first frames are kept until then. */
const MAX_OPENINGS = 64;

/** A frame before its session is known: of `initialize`, and its answer. */
interface OpeningFrame {
  readonly from: "agent" | "editor";
  readonly frame: string;
}

/**
 * Passes the messages of agents over HTTP to the wrappers of an editor's transports. A session over HTTP has many
 * conversations and no transport of its own, so a stand-in represents it, whose frames are sent nowhere.
 */
export class HttpFrames {
  readonly #ide: LegacyIde;
  readonly #wrap: NonNullable<ListenIdeOptions["wrapTransport"]>;
  readonly #origin: ConnectionOrigin;
  readonly #sessions = new Map<string, ShownSession>();
  readonly #openings = new Map<string, readonly OpeningFrame[]>();

  constructor(
    ide: LegacyIde,
    wrap: NonNullable<ListenIdeOptions["wrapTransport"]>,
    origin: ConnectionOrigin,
  ) {
    this.#ide = ide;
    this.#wrap = wrap;
    this.#origin = origin;
  }

  /** The server, for an endpoint. */
  get server(): Served<AgentFacts> {
    return { ...this.#ide, open: (options) => this.#open(options) };
  }

  #open(options: OpenOptions<AgentFacts>): ServedConversation {
    const { sessionId: id = "" } = options;
    const listens = options.receivesChanges !== false;
    // Before the session is announced.
    if (listens) this.#begin(id);
    const session = this.#sessions.get(id);
    const opening: OpeningFrame[] = [];
    const show = (from: OpeningFrame["from"], frame: string) => {
      if (session !== undefined) session.show(from, frame);
      else opening.push({ from, frame });
    };
    const conversation = this.#ide.open({
      ...readOptions(options),
      send(frame, about, key) {
        show("editor", frame);
        options.send(frame, about, key);
      },
      onclose: (reason) => {
        if (listens) this.#end(id, reason);
        options.onclose?.(reason);
      },
    });
    const settle = () => {
      const { sessionId: begun } = options;
      if (session === undefined && begun !== undefined) this.#keep(begun, opening);
    };
    return new ShownConversation(conversation, show, settle);
  }

  #begin(id: string): void {
    const session = new ShownSession(this.#wrap, this.#origin);
    this.#sessions.set(id, session);
    for (const { from, frame } of this.#openings.get(id) ?? []) session.show(from, frame);
    this.#openings.delete(id);
  }

  #end(id: string, reason: CloseReason): void {
    this.#sessions.get(id)?.close(reason);
    this.#sessions.delete(id);
  }

  #keep(id: string, frames: readonly OpeningFrame[]): void {
    this.#openings.set(id, frames);
    evictOldest(this.#openings, MAX_OPENINGS);
  }
}

/** The members of the options that an IdeServer reads; the options may be an object with its own state. */
function readOptions(options: OpenOptions<AgentFacts>): OpenOptions<AgentFacts> {
  const { context, principal, scopes, session, sessionId, receivesChanges = true, peer } = options;
  return {
    ...{ context, principal, scopes, session, sessionId, receivesChanges },
    ...(peer !== undefined && { peer }),
    ...callbacksOf(options),
  };
}

/** A session, with the transport that stands in for it. */
class ShownSession {
  readonly #inner: Transport;
  readonly #outer: Transport;

  constructor(wrap: NonNullable<ListenIdeOptions["wrapTransport"]>, origin: ConnectionOrigin) {
    this.#inner = {
      ...{ onframe: undefined, onclose: undefined, ondrain: undefined, bufferedAmount: 0 },
      send: () => undefined,
      close: () => undefined,
    };
    this.#outer = wrap(this.#inner, origin);
  }

  show(from: OpeningFrame["from"], frame: string): void {
    if (from === "agent") this.#inner.onframe?.(frame);
    else this.#outer.send(frame);
  }

  close(reason: CloseReason): void {
    this.#inner.onclose?.(reason);
  }
}

/** A conversation whose messages and answers are shown. */
class ShownConversation implements ServedConversation {
  readonly #conversation: ServedConversation;
  readonly #show: (from: OpeningFrame["from"], frame: string) => void;
  readonly #settle: () => void;

  constructor(
    conversation: ServedConversation,
    show: (from: OpeningFrame["from"], frame: string) => void,
    settle: () => void,
  ) {
    this.#conversation = conversation;
    this.#show = show;
    this.#settle = settle;
  }

  get session(): ServedConversation["session"] {
    return this.#conversation.session;
  }

  handle(message: unknown, size?: number): ReturnType<ServedConversation["handle"]> {
    this.#show("agent", JSON.stringify(message));
    const answer = this.#conversation.handle(message, size);
    if (answer instanceof Promise) return answer.then((text) => this.#answered(text));
    return this.#answered(answer);
  }

  awaits(id: Parameters<ServedConversation["awaits"]>[0]): boolean {
    return this.#conversation.awaits(id);
  }

  restore(session: Parameters<ServedConversation["restore"]>[0]): void {
    this.#conversation.restore(session);
  }

  close(): void {
    this.#conversation.close();
  }

  #answered(text: string | undefined): string | undefined {
    if (text !== undefined) this.#show("editor", text);
    this.#settle();
    return text;
  }
}
