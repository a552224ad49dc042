import type { Connector } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";

/**
 * Connects to a program that may end when it is asked which era it speaks, as those on Rust's rmcp do: once it has
 * ended it is started again, and not asked. Whatever else ends it, ends the connection.
 * @param start starts it
 * @param onagain called before it is started again
 */
export function startedAgain(start: () => Transport, onagain: () => void): Connector {
  return (owner) => {
    let peer = owner.createPeer(start());
    return {
      get peer() {
        return peer;
      },
      get closed() {
        return peer.closed;
      },
      async start(request) {
        try {
          await owner.greet(peer, request);
        } catch (error) {
          if (!owner.greetsAnew()) throw error;
          const { reason } = await peer.closed;
          if (/ cannot be started \(\w+\)$/.test(reason)) throw error;
          onagain();
          peer = owner.createPeer(start());
          await owner.greet(peer, request);
        }
      },
      request: (_, send) => send(peer),
      close: (code, reason) => peer.close(code, reason),
    };
  };
}
