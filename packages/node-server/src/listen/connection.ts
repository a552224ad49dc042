import type { Socket } from "node:net";
import type { IdeSession } from "@idewire/core";
import { CloseCode, type Transport } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import { ClientMemory } from "../limits/client-memory.ts";
import type { ListenLimits } from "../limits/listen-limits.ts";
import type { MemoryBudget } from "../limits/memory-budget.ts";
import { isAlive } from "../process/liveness.ts";
import {
  createNodeWebSocketTransport,
  type FrameCache,
} from "../web-socket/web-socket-transport.ts";

/** After this many unanswered pings a connection is considered dead. */
const MISSED_PINGS = 2;

interface Tending {
  readonly limits: ListenLimits;
  /** The agent's process can be looked at: it runs on this machine. */
  readonly seesAgents: boolean;
}

/** What the clients of one listener have in common. */
interface Shared {
  readonly frames: FrameCache;
  readonly budget: MemoryBudget;
}

/** One authenticated client: its WebSocket, its session, and the limits on both. */
export class ClientConnection {
  readonly session: IdeSession;
  readonly #webSocket: WebSocket;
  readonly #budget: MemoryBudget;
  readonly #memory: ClientMemory;
  readonly #openedAt: number = Date.now();
  #lastPingAt: number = Date.now();
  #unansweredPings = 0;

  constructor(
    open: (transport: Transport) => IdeSession,
    webSocket: WebSocket,
    socket: Socket,
    { frames, budget }: Shared,
  ) {
    this.#webSocket = webSocket;
    this.#budget = budget;
    this.session = open(createNodeWebSocketTransport(webSocket, socket, frames));
    this.#memory = new ClientMemory(socket, this.session.connection.peer, budget);
    webSocket.on("pong", () => {
      this.#unansweredPings = 0;
    });
  }

  /** Looks after the connection: to be called a few times in each keep-alive period. */
  tend(now: number, { limits, seesAgents }: Tending): void {
    const { handshakeTimeoutMs, keepAliveMs } = limits;
    const begun = this.#memory.unfinishedSince;
    // What is sent unasked to a client that reads nothing comes with no bytes of its own.
    this.#budget.update(this.#memory);
    if (begun !== undefined && now - begun > handshakeTimeoutMs) {
      this.#end(`A message was not finished in ${handshakeTimeoutMs} ms`);
    } else if (this.session.agent === undefined && now - this.#openedAt > handshakeTimeoutMs) {
      this.#end(`No initialize in ${handshakeTimeoutMs} ms`);
    } else if (now - this.#lastPingAt >= keepAliveMs) {
      this.#ping(now, seesAgents);
    }
  }

  /** Cuts the connection without a good-bye. */
  terminate(): void {
    this.#webSocket.terminate();
  }

  #ping(now: number, seesAgents: boolean): void {
    this.#lastPingAt = now;
    if (this.#unansweredPings >= MISSED_PINGS && !(seesAgents && this.#isSuspended())) {
      this.terminate();
    } else if (this.#webSocket.readyState === this.#webSocket.OPEN) {
      this.#unansweredPings += 1;
      this.#webSocket.ping();
    }
  }

  /** A CLI that was stopped by Ctrl-Z answers nothing until it continues; its process still exists. */
  #isSuspended(): boolean {
    const { pid } = this.session;
    return pid !== undefined && isAlive(pid);
  }

  #end(reason: string): void {
    this.session.close(CloseCode.PolicyViolation, reason);
  }
}
