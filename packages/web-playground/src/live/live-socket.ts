import {
  answerLimits,
  createWebSocketTransport,
  IdewireError,
  isObject,
  Peer,
  RpcError,
} from "@idewire/core";
import { type Joined, PageClient } from "@idewire/devtools/page-protocol";
import { type Signal, signal } from "@preact/signals";
import type { LinkStatus, ServerLink } from "../state/server-link.ts";
import { TICKET } from "../state/ticket.ts";
import { watchSilence } from "./watch-silence.ts";

const KEY = "idewire.live";
/** Between two attempts to come back. */
const PAUSES_MS = [300, 1_000, 2_000, 5_000];
const POLICY_VIOLATION = 1008;

/** So long may it take whoever answers to say that it is idewire. */
const JOIN_MS = 10_000;
/** And so long to take a connection: one that stands still takes none, and refuses none. */
const OPEN_MS = 10_000;

/** What receives from a {@link LiveSocket}. */
export interface SocketListener {
  /**
   * Subscribes to a new connection; called in the turn in which that is made.
   * @returns what is to be done when all that was before has come
   */
  listen(client: PageClient): () => void;
  /**
   * Takes what idewire says of itself as it lets the page in.
   * @returns false when something else than such a page expects is behind it
   */
  enter(joined: Joined): boolean;
  /** What was asked for could not be done, and why. */
  fail(words: string): void;
}

/** The connection to idewire: it comes back by itself as long as idewire lets it. */
export class LiveSocket implements ServerLink {
  readonly status: Signal<LinkStatus> = signal("connecting");
  /** What a person has to know of the status. */
  readonly words = signal("");
  readonly #page: SocketListener;
  #attempts = 0;
  #client: PageClient | undefined;
  /** The one that counts: what an older one says late is nothing to us. */
  #socket: WebSocket | undefined;
  #hasJoined = false;

  constructor(page: SocketListener) {
    this.#page = page;
  }

  /** Idewire, while it can be asked. */
  get client(): PageClient | undefined {
    return this.#client;
  }

  open(): void {
    const names = credentials();
    if (names.length === 0) {
      this.#show("refused", NO_LINK);
      return;
    }
    const url = `${location.origin.replace(/^http/, "ws")}/live`;
    const socket = new WebSocket(url, ["idewire.v1", ...names]);
    this.#socket = socket;
    let wasOpen = false;
    const impatience = window.setTimeout(() => this.#abandon(socket), OPEN_MS);
    socket.addEventListener("open", () => {
      window.clearTimeout(impatience);
      wasOpen = true;
      // It may have been given up just now.
      if (this.#socket !== socket) return;
      void this.#join(new PageClient(new Peer(transport, answerLimits)), socket);
    });
    const transport = createWebSocketTransport(socket);
    socket.addEventListener("close", async ({ code, reason }) => {
      window.clearTimeout(impatience);
      if (this.#socket !== socket) return;
      if (code === POLICY_VIOLATION) this.#closed(reason);
      else this.#closed(wasOpen ? undefined : await whyRefused(names));
    });
  }

  /** An address for another tab; undefined when idewire cannot be asked. */
  async createLink(): Promise<string | undefined> {
    const link = await this.ask((client) => client.request("live/link", {}));
    return link?.url;
  }

  /**
   * Has idewire do something.
   * @returns undefined when it was not done, which is told
   */
  async ask<T>(act: (client: PageClient) => Promise<T>): Promise<T | undefined> {
    if (this.#client === undefined) {
      this.#page.fail("idewire cannot be asked now: the connection is lost.");
      return undefined;
    }
    try {
      return await act(this.#client);
    } catch (error) {
      this.#page.fail(`${error instanceof RpcError ? error.message : "idewire has not answered"}.`);
      return undefined;
    }
  }

  async #join(client: PageClient, socket: WebSocket): Promise<void> {
    const begin = this.#page.listen(client);
    client.on("live/joined", () => {
      if (this.#socket !== socket) return;
      this.#client = client;
      begin();
      this.#show("connected", "");
      watchSilence(client.peer, {
        silent: () => this.#socket === socket && this.#show("lost", SILENT),
        received: () => this.#socket === socket && this.#show("connected", ""),
        over: () => this.#abandon(socket),
      });
    });
    const answer = await client
      .request("live/join", {}, { timeoutMs: JOIN_MS })
      .catch((error: unknown) => codeOf(error));
    // A connection that was lost meanwhile says so by itself.
    if (answer === "closed") return;
    // We know who it is: it stands still.
    if (answer === "timeout" && this.#hasJoined) {
      this.#abandon(socket);
      return;
    }
    if (typeof answer === "object" && this.#page.enter(answer)) {
      sessionStorage.removeItem(TICKET);
      this.#attempts = 0;
      this.#hasJoined = true;
      return;
    }
    // Nobody there would understand.
    this.#socket = undefined;
    this.#show("refused", UNAUTHENTICATED);
    client.peer.close();
  }

  /** Whoever does not answer does not answer a close either: it is not waited for. */
  #abandon(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#closed(undefined);
    socket.close();
  }

  /** @param refused what idewire says when it is there and does not let this tab in */
  #closed(refused: string | undefined): void {
    this.#client = undefined;
    this.#socket = undefined;
    if (refused !== undefined) {
      sessionStorage.removeItem(TICKET);
      this.#show("refused", `${refused}.`);
      return;
    }
    const pause = PAUSES_MS[Math.min(this.#attempts, PAUSES_MS.length - 1)];
    this.#attempts += 1;
    this.#show("lost", LOST);
    window.setTimeout(() => this.open(), pause);
  }

  #show(status: LinkStatus, words: string): void {
    this.status.value = status;
    this.words.value = words;
  }
}

const NO_LINK = "This tab needs a link of its own.";

const UNAUTHENTICATED =
  "What answers at this address does not speak as idewire does. Is it another program, or another " +
  "version?";

const SILENT =
  "Not connected; trying again. idewire does not answer: is it stopped, or asleep? What you typed " +
  "stays here.";

const LOST =
  "Not connected; trying again. The connection to idewire is lost. What you typed stays here; this page comes back by itself " +
  "when idewire does, or start it again and open its new link.";

function codeOf(error: unknown): string | undefined {
  return error instanceof IdewireError ? error.code : undefined;
}

/**
 * By what idewire lets this tab in: the ticket, until it has been used, and a key that this tab has
 * made, with which it may come back even when it was never answered. Nothing when it has neither.
 */
function credentials(): readonly string[] {
  const ticket = sessionStorage.getItem(TICKET);
  const kept = sessionStorage.getItem(KEY);
  if (ticket === null) return kept === null ? [] : [`idewire.key.${kept}`];
  const key = kept ?? createKey();
  sessionStorage.setItem(KEY, key);
  return [`idewire.ticket.${ticket}`, `idewire.key.${key}`];
}

/** Asks why there was no connection, which a browser does not tell of an upgrade. */
async function whyRefused(names: readonly string[]): Promise<string | undefined> {
  try {
    const answer = await fetch("/live/why", {
      headers: { "idewire-credentials": names.join() },
      cache: "no-store",
      signal: AbortSignal.timeout(JOIN_MS),
    });
    const output: unknown = await answer.json();
    return isObject(output) && typeof output["refused"] === "string"
      ? output["refused"]
      : undefined;
  } catch {
    // It is not there, or it is not idewire.
    return undefined;
  }
}

/** 32 random bytes. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
