import {
  answerLimits,
  createWebSocketTransport,
  IdewireError,
  isObject,
  Peer,
  RpcError,
} from "@idewire/core";
import type { TraceEvent } from "@idewire/core/trace";
import { type Signal, signal } from "@preact/signals";
import { TICKET } from "../address.ts";

const KEY = "idewire.live";
/** Between two attempts to come back. */
const PAUSES_MS = [300, 1_000, 2_000, 5_000];
const POLICY_VIOLATION = 1008;

/** So long may it take whoever answers to say that it is idewire. */
const JOIN_MS = 10_000;

/** How things are between this page and idewire. */
export type LiveStatus = "connecting" | "connected" | "lost" | "refused";

/** What idewire answers with. */
export type LiveAnswer = Readonly<Record<string, unknown>>;

/** Whoever hears what a {@link LiveSocket} is told. */
export interface LivePage {
  /**
   * Hears what a new connection tells; called in the turn in which the peer is made.
   * @returns what is to be done when all that was before is told
   */
  listen(peer: Peer): () => void;
  /**
   * Takes what idewire says of itself as it lets the page in.
   * @returns false when that is not of what is behind such a page
   */
  enter(answer: LiveAnswer): boolean;
  /** What was asked for could not be done, and why. */
  fail(words: string): void;
}

/** The connection to idewire: it comes back by itself as long as idewire lets it. */
export class LiveSocket {
  readonly status: Signal<LiveStatus> = signal("connecting");
  /** What a person has to know of the status. */
  readonly words = signal("");
  readonly #page: LivePage;
  #attempts = 0;
  #gaveUp = false;
  #peer: Peer | undefined;

  constructor(page: LivePage) {
    this.#page = page;
  }

  /** Idewire, while it can be asked. */
  get peer(): Peer | undefined {
    return this.#peer;
  }

  open(): void {
    const names = credentials();
    if (names.length === 0) {
      this.#show("refused", NO_LINK);
      return;
    }
    const url = `${location.origin.replace(/^http/, "ws")}/live`;
    const socket = new WebSocket(url, ["idewire.v1", ...names]);
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      void this.#join(new Peer(transport, answerLimits));
    });
    const transport = createWebSocketTransport(socket);
    socket.addEventListener("close", async ({ code, reason }) => {
      if (this.#gaveUp) return;
      if (code === POLICY_VIOLATION) this.#closed(reason);
      else this.#closed(wasOpen ? undefined : await whyRefused(names));
    });
  }

  /** An address for another tab; undefined when idewire cannot be asked. */
  async createLink(): Promise<string | undefined> {
    const answer = await this.ask("live/link");
    return typeof answer?.["url"] === "string" ? answer["url"] : undefined;
  }

  /**
   * Has idewire do something.
   * @returns undefined when it was not done, which is told
   */
  async ask(method: string, params: object = {}): Promise<LiveAnswer | undefined> {
    if (this.#peer === undefined) {
      this.#page.fail("idewire cannot be asked now: the connection is lost.");
      return undefined;
    }
    try {
      const result = await this.#peer.request(method, { ...params });
      return isObject(result) ? result : {};
    } catch (error) {
      this.#page.fail(`${error instanceof RpcError ? error.message : "idewire has not answered"}.`);
      return undefined;
    }
  }

  async #join(peer: Peer): Promise<void> {
    const begin = this.#page.listen(peer);
    peer.handle("live/joined", () => {
      this.#peer = peer;
      begin();
      this.#show("connected", "");
    });
    const answer = await peer
      .request("live/join", undefined, { timeoutMs: JOIN_MS })
      .catch((error: unknown) => (isClosed(error) ? "closed" : undefined));
    // A connection that was lost meanwhile says so by itself.
    if (answer === "closed") return;
    if (isObject(answer) && typeof answer["key"] === "string" && this.#page.enter(answer)) {
      sessionStorage.removeItem(TICKET);
      this.#attempts = 0;
      return;
    }
    // Nobody there would understand.
    this.#gaveUp = true;
    this.#show("refused", STRANGER);
    peer.close();
  }

  /** @param refused what idewire says when it is there and does not let this tab in */
  #closed(refused: string | undefined): void {
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

  #show(status: LiveStatus, words: string): void {
    if (status !== "connected") this.#peer = undefined;
    this.status.value = status;
    this.words.value = words;
  }
}

const NO_LINK = "This tab needs a link of its own.";

const STRANGER =
  "What answers at this address does not speak as idewire does. Is it another program, or another " +
  "version?";

const LOST =
  "The connection to idewire is lost. What you typed stays here; this page comes back by itself " +
  "when idewire does, or start it again and open its new link.";

function isClosed(error: unknown): boolean {
  return error instanceof IdewireError && error.code === "closed";
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
    const said: unknown = await answer.json();
    return isObject(said) && typeof said["refused"] === "string" ? said["refused"] : undefined;
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

/** The bridge is our own, and of the same version: only its form is looked at. */
export function toEvents(value: unknown): readonly TraceEvent[] {
  return Array.isArray(value) ? (value.filter(isObject) as unknown as TraceEvent[]) : [];
}
