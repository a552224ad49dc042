import { createWebSocketTransport, Peer } from "@idewire/core";

const KEY = "idewire.live";
/** Between two attempts to come back. */
const PAUSES_MS = [300, 1_000, 2_000, 5_000];
const POLICY_VIOLATION = 1008;

/** How things are between this page and the folder. */
export type LiveStatus = "connecting" | "connected" | "lost" | "refused";

/** What a {@link LiveSocket} tells. */
export interface LiveSocketEvents {
  /** A connection is there; called in the turn in which the peer is made. */
  onpeer(peer: Peer): void;
  onstatus(status: LiveStatus, words: string): void;
}

/** The connection to the folder: it comes back by itself as long as the folder lets it. */
export class LiveSocket {
  readonly #events: LiveSocketEvents;
  #ticket: string | undefined;
  #attempts = 0;
  #gaveUp = false;

  constructor(ticket: string | undefined, events: LiveSocketEvents) {
    this.#ticket = ticket;
    this.#events = events;
  }

  open(): void {
    const name = this.#ticket === undefined ? keyName() : `idewire.ticket.${this.#ticket}`;
    if (name === undefined) {
      const words =
        "This tab needs a link of its own. Type page where idewire runs, and open that.";
      this.#events.onstatus("refused", words);
      return;
    }
    // Used up by this, whatever comes of it.
    this.#ticket = undefined;
    const url = `${location.origin.replace(/^http/, "ws")}/live`;
    const socket = new WebSocket(url, ["idewire.v1", name]);
    socket.addEventListener("open", () => this.#events.onpeer(new Peer(transport)));
    const transport = createWebSocketTransport(socket);
    socket.addEventListener("close", ({ code, reason }) => this.#closed(code, reason));
  }

  /** The folder lets this tab in again with this. */
  keep(key: string): void {
    this.#attempts = 0;
    sessionStorage.setItem(KEY, key);
  }

  /** Does not come back: nobody there would understand. */
  giveUp(words: string): void {
    this.#gaveUp = true;
    this.#events.onstatus("refused", words);
  }

  #closed(code: number, reason: string): void {
    if (code === POLICY_VIOLATION) {
      this.#events.onstatus("refused", `${reason}.`);
      return;
    }
    if (this.#gaveUp) return;
    const pause = PAUSES_MS[Math.min(this.#attempts, PAUSES_MS.length - 1)];
    this.#attempts += 1;
    this.#events.onstatus("lost", LOST);
    window.setTimeout(() => this.open(), pause);
  }
}

const LOST =
  "The connection to idewire is lost. What you typed stays here; this page comes back by itself " +
  "when idewire does, or start it again and open its new link.";

function keyName(): string | undefined {
  const key = sessionStorage.getItem(KEY);
  return key === null ? undefined : `idewire.key.${key}`;
}
