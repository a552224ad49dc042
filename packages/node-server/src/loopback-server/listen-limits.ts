import { MAX_FRAME_BYTES } from "@idewire/core/internal";

/** The limits of clients. */
export interface ListenLimits {
  /** The number of clients, 256 by default; another one is refused with 503. */
  readonly maxConnections: number;
  /** The size limit of a frame, 16 MiB by default; a larger one closes with 1009. */
  readonly maxFrameBytes: number;
  /**
   * The memory limit of one client, 64 MiB by default: its unfinished message, its unanswered requests, and its
   * unread output. Beyond it the client is closed with 1008.
   */
  readonly maxClientBytes: number;
  /**
   * The memory limit of all clients together, 512 MiB by default. Beyond it the clients with the most are closed
   * with 1008.
   */
  readonly maxTotalBytes: number;
  /** How long a client may take to send `initialize`, and to finish a message; 30,000 by default. */
  readonly handshakeTimeoutMs: number;
  /** The interval of WebSocket pings, 15,000 by default; a client that misses two counts as dead. */
  readonly keepAliveMs: number;
}

export const defaultLimits: ListenLimits = {
  maxConnections: 256,
  maxFrameBytes: MAX_FRAME_BYTES,
  maxClientBytes: 1 << 26,
  maxTotalBytes: 1 << 29,
  handshakeTimeoutMs: 30_000,
  keepAliveMs: 15_000,
};
