import { answerLimits, BackOff, isObject } from "@idewire/core/internal";
import { createWebSocketTransport, IdewireError, Peer, RpcError } from "@idewire/core/rpc";
import { type Joined, PageClient } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import { type LinkStatus, NOT_CONNECTED, type ServerLink } from "../state/server-link.ts";
import { TICKET } from "../state/ticket.ts";
import { watchSilence } from "./watch-silence.ts";

const KEY = "idewire.live";
/** Between two attempts to reconnect. */
const PAUSES = { firstDelayMs: 300, maxDelayMs: 5_000 };
const POLICY_VIOLATION = 1008;

/** The time-out of `live/join`. */
const JOIN_MS = 10_000;
/** The connection time-out: a suspended process neither accepts nor refuses. */
const OPEN_MS = 10_000;

/** The receiver of a {@link LiveSocket}. */
export interface SocketListener {
  /**
   * Subscribes to a new connection, in the turn in which it is opened.
   * @returns called when all earlier events have been received, with the number of rows before them
   */
  listen(client: PageClient): (before: number) => void;
  /**
   * Receives idewire's facts when it admits the page.
   * @returns false if the page does not expect such a backend
   */
  enter(joined: Joined): boolean;
  /** Called with the reason of a failure. */
  fail(words: string): void;
}

/** The connection to idewire; it reconnects by itself until idewire refuses it. */
export class LiveSocket implements ServerLink {
  readonly status: Signal<LinkStatus> = signal("connecting");
  readonly words = signal("");
  readonly #page: SocketListener;
  readonly #backOff = new BackOff(PAUSES);
  #client: PageClient | undefined;
  /** The current socket: late events of earlier ones are ignored. */
  #socket: WebSocket | undefined;
  #hasJoined = false;

  constructor(page: SocketListener) {
    this.#page = page;
  }

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
    const timer = window.setTimeout(() => this.#abandon(socket), OPEN_MS);
    socket.addEventListener("open", () => {
      window.clearTimeout(timer);
      wasOpen = true;
      // It may have been replaced just now.
      if (this.#socket !== socket) return;
      void this.#join(new PageClient(new Peer(transport, answerLimits)), socket);
    });
    const transport = createWebSocketTransport(socket);
    socket.addEventListener("close", ({ code, reason }) => {
      window.clearTimeout(timer);
      if (this.#socket !== socket) return;
      if (code === POLICY_VIOLATION) this.#closed(reason);
      else if (wasOpen) this.#closed(undefined);
      else void whyRefused(names).then((refused) => this.#closed(refused));
    });
  }

  async createLink(): Promise<string | undefined> {
    const link = await this.ask((client) => client.request("live/link", {}));
    return link?.url;
  }

  ask<T>(act: (client: PageClient) => Promise<T>): Promise<T | undefined> {
    return askServer(this.#client, act, this.#page);
  }

  async #join(client: PageClient, socket: WebSocket): Promise<void> {
    const begin = this.#page.listen(client);
    client.on("live/joined", ({ rowsBefore }) => {
      if (this.#socket !== socket) return;
      this.#client = client;
      begin(rowsBefore);
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
    // The close of the connection is handled elsewhere.
    if (answer === "closed") return;
    // It has connected before, so it is a suspended idewire.
    if (answer === "timeout" && this.#hasJoined) {
      this.#abandon(socket);
      return;
    }
    if (typeof answer === "object" && this.#page.enter(answer)) {
      sessionStorage.removeItem(TICKET);
      this.#backOff.reset();
      this.#hasJoined = true;
      return;
    }
    // Another program answers.
    this.#socket = undefined;
    this.#show("refused", NOT_IDEWIRE);
    client.peer.close();
  }

  /** A suspended process does not answer a close either, so this does not wait. */
  #abandon(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#closed(undefined);
    socket.close();
  }

  /** @param refused the reason, if idewire refused this tab */
  #closed(refused: string | undefined): void {
    this.#client = undefined;
    this.#socket = undefined;
    if (refused !== undefined) {
      sessionStorage.removeItem(TICKET);
      this.#show("refused", `${refused}.`);
      return;
    }
    this.#show("lost", LOST);
    this.#backOff.schedule(() => this.open());
  }

  #show(status: LinkStatus, words: string): void {
    this.status.value = status;
    this.words.value = words;
  }
}

/**
 * Sends a request to the server of a page, idewire in general.
 * @returns undefined on failure; the reason is passed to `fail`
 */
export async function askServer<T>(
  client: PageClient | undefined,
  act: (client: PageClient) => Promise<T>,
  { fail }: Pick<SocketListener, "fail">,
): Promise<T | undefined> {
  if (client === undefined) {
    fail(`${NOT_CONNECTED}.`);
    return undefined;
  }
  try {
    return await act(client);
  } catch (error) {
    fail(`${error instanceof RpcError ? error.message : "idewire did not answer"}.`);
    return undefined;
  }
}

const NO_LINK = "This tab needs a link of its own.";

const NOT_IDEWIRE =
  "The server at this address does not speak idewire's protocol. It may be another program, or " +
  "another version.";

const SILENT =
  "Not connected; retrying. idewire does not answer: it may be suspended. Your text is kept.";

const LOST =
  "Not connected; retrying. Your text is kept, and the page reconnects when idewire is back. " +
  "If it has ended, start it again.";

function codeOf(error: unknown): string | undefined {
  return error instanceof IdewireError ? error.code : undefined;
}

/**
 * The credentials of this tab: the ticket, until it has been used, and a key created here, with which the tab
 * may reconnect even without an answer to the first attempt. Empty if it has neither.
 */
function credentials(): readonly string[] {
  const ticket = sessionStorage.getItem(TICKET);
  const kept = sessionStorage.getItem(KEY);
  if (ticket === null) return kept === null ? [] : [`idewire.key.${kept}`];
  const key = kept ?? createKey();
  sessionStorage.setItem(KEY, key);
  return [`idewire.ticket.${ticket}`, `idewire.key.${key}`];
}

/** Requests the reason of a refused upgrade, which a browser does not reveal. */
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
    // Nothing is running there, or another program.
    return undefined;
  }
}

/** 32 random bytes. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
