import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Whose bytes are counted. */
export type Direction = "to-server" | "to-client";

/** How the connections of a network end. */
export type Break = "end" | "reset";

/** A network between a client and a port that breaks all connections at a given byte. */
export interface FaultyNetwork {
  /** The port of the near end. */
  readonly port: number;
  /** The number of bytes forwarded since the last reset. */
  readonly passed: Record<Direction, number>;
  /** Forwards so many more bytes of one direction, then breaks open connections and refuses new ones. */
  breakAfter(direction: Direction, bytes: number, how: Break): void;
  /** Breaks the open connections. */
  break(how: Break): void;
  /** Silently drops everything until it is repaired. */
  hang(): void;
  /** Called when it has broken. */
  onbreak: () => void;
  /** Repairs the network, and resets the counts. */
  mend(): void;
}

/** Opens a network to a port; it ends with the test. */
export async function openFaultyNetwork(target: number): Promise<FaultyNetwork> {
  const network = new Network(target);
  const server = createServer((near) => network.take(near)).listen(0, "127.0.0.1");
  await once(server, "listening");
  network.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    network.break("reset");
    server.close();
  });
  return network;
}

class Network implements FaultyNetwork {
  port = 0;
  passed: Record<Direction, number> = { "to-server": 0, "to-client": 0 };
  onbreak: () => void = () => {};
  #isBroken = false;
  #hangs = false;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #plan: { readonly direction: Direction; readonly how: Break; left: number } | undefined;

  constructor(target: number) {
    this.#target = target;
  }

  take(near: Socket): void {
    if (this.#isBroken) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ host: "127.0.0.1", port: this.#target });
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (chunk) => this.#pass("to-server", chunk, far));
    far.on("data", (chunk) => this.#pass("to-client", chunk, near));
  }

  breakAfter(direction: Direction, bytes: number, how: Break): void {
    this.#plan = { direction, how, left: bytes };
  }

  break(how: Break): void {
    this.#isBroken = true;
    this.#plan = undefined;
    for (const socket of this.#sockets) {
      if (how === "reset") socket.resetAndDestroy();
      else socket.destroySoon();
    }
    this.onbreak();
  }

  hang(): void {
    this.#hangs = true;
  }

  mend(): void {
    this.#isBroken = false;
    this.#hangs = false;
    this.#plan = undefined;
    this.passed = { "to-server": 0, "to-client": 0 };
  }

  #pass(direction: Direction, chunk: Buffer, to: Socket): void {
    if (this.#isBroken || this.#hangs) return;
    const plan = this.#plan?.direction === direction ? this.#plan : undefined;
    const part = plan === undefined ? chunk : chunk.subarray(0, plan.left);
    this.passed[direction] += part.length;
    if (part.length > 0) to.write(part);
    if (plan === undefined) return;
    plan.left -= part.length;
    if (plan.left === 0) this.break(plan.how);
  }
}
