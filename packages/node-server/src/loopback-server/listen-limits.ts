import { MAX_FRAME_BYTES } from "@idewire/core/internal";

/** The limits of clients. */
export interface ListenLimits {
  /** 256. One more is refused with 503. */
  readonly maxConnections: number;
  /** 16 MiB. A larger frame closes with 1009. */
  readonly maxFrameBytes: number;
  /**
   * 64 MiB: what may be held for one client, that is its unfinished message, its requests without an
   * answer, and what it has not read. More closes with 1008.
   */
  readonly maxClientBytes: number;
  /** 512 MiB: what may be held for all of them. Beyond it the largest holders are closed with 1008. */
  readonly maxTotalBytes: number;
  /** 30,000: how long a client may take to say `initialize`, and to finish a message. */
  readonly handshakeTimeoutMs: number;
  /** 15,000: between two WebSocket pings; a client that misses two is dead. */
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
