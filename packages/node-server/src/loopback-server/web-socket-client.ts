import { CloseCode } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import type { ClientMemory } from "./client-memory.ts";
import type { ListenLimits } from "./listen-limits.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import type { ServedClient } from "./web-socket-clients.ts";

/** After this many unanswered pings a connection is considered dead. */
const MAX_UNANSWERED = 2;

/** One client of {@link WebSocketClients}, with its time-outs. */
export class WebSocketClient {
  readonly #webSocket: WebSocket;
  readonly #served: ServedClient;
  readonly #memory: ClientMemory;
  readonly #openedAt: number = Date.now();
  #lastPingAt: number = Date.now();
  #unansweredPings = 0;

  constructor(webSocket: WebSocket, served: ServedClient, memory: ClientMemory) {
    this.#webSocket = webSocket;
    this.#served = served;
    this.#memory = memory;
    webSocket.on("pong", () => {
      this.#unansweredPings = 0;
    });
  }

  /** Closes or pings the client when due; call it a few times per keep-alive period. */
  check(
    now: number,
    { handshakeTimeoutMs, keepAliveMs }: Pick<ListenLimits, "handshakeTimeoutMs" | "keepAliveMs">,
    budget: MemoryBudget,
  ): void {
    budget.update(this.#memory);
    const { unfinishedSince = now } = this.#memory;
    const isSlow = now - unfinishedSince > handshakeTimeoutMs;
    const reason = isSlow
      ? `A message was not finished in ${handshakeTimeoutMs} ms`
      : this.#served.overdue?.(now - this.#openedAt);
    if (reason !== undefined) this.#served.peer.close(CloseCode.PolicyViolation, reason);
    else if (now - this.#lastPingAt >= keepAliveMs) this.#ping(now);
  }

  #ping(now: number): void {
    this.#lastPingAt = now;
    if (this.#unansweredPings >= MAX_UNANSWERED && this.#served.isSuspended?.() !== true) {
      this.#webSocket.terminate();
    } else if (this.#webSocket.readyState === this.#webSocket.OPEN) {
      this.#unansweredPings += 1;
      this.#webSocket.ping();
    }
  }
}
