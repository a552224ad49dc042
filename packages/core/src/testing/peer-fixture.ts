import { type ManualClock, manualClock } from "../rpc/manual-clock.ts";
import { createMemoryTransportPair, type MemoryTransportEnd } from "../rpc/memory-transport.ts";
import { Peer } from "../rpc/peer.ts";
import type { PeerOptions } from "../rpc/peer-options.ts";
import { RawEnd } from "./raw-end.ts";

/** A peer, and its other end played by a test. */
export interface PeerFixture {
  readonly peer: Peer;
  readonly other: RawEnd;
  /** The transport of the other end. */
  readonly right: MemoryTransportEnd;
  readonly clock: ManualClock;
  /** What the peer has passed to `onerror`. */
  readonly errors: Error[];
  /** What the peer has passed to `onrefused`. */
  readonly refused: string[];
}

/** Creates a peer with a manual clock, which answers `ping` with "pong". */
export function peerFixture(options: PeerOptions = {}): PeerFixture {
  const [left, right] = createMemoryTransportPair();
  const errors: Error[] = [];
  const refused: string[] = [];
  const clock = manualClock();
  const peer = new Peer(left, {
    clock,
    onerror: (error) => errors.push(error),
    onrefused: (why) => refused.push(why),
    ...options,
  });
  peer.handle("ping", () => "pong");
  return { peer, other: new RawEnd(right), right, clock, errors, refused };
}
