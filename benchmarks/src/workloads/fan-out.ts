import { setImmediate as nextTurn } from "node:timers/promises";
import { loadImplementation } from "../implementation.ts";
import { settledMemory } from "../memory.ts";
import { Readers } from "../readers.ts";
import type { Workload } from "../subject.ts";

/** No client is slow: the unsent bytes of each stay below this. */
const WINDOW_BYTES = 500_000;
const MEGABYTE = 1 << 20;

/** One selection of `size` bytes to `clients` clients, each in its own turn; the server's CPU time. */
export const fanOut: Workload = async (name, { clients = 1, size = 100 }) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 2 });
  const readers = new Readers(listening);
  await readers.connect(clients);
  await readers.count();
  const texts = ["x", "y"].map((letter) => letter.repeat(size));
  const window = Math.max(1, Math.min(500, Math.floor(WINDOW_BYTES / size)));
  let sent = 0;
  return {
    async run() {
      for (let index = 0; index < window; index += 1) {
        listening.broadcast(texts[index % 2] as string);
        await nextTurn();
      }
      sent += window;
      await readers.received(sent * clients);
      return window;
    },
    async close() {
      await readers.close();
      await listening.close();
    },
  };
};

/** How much a server grows, in MB, while 200 MB of selections go to a client that never reads. */
export const stalledClient: Workload = async (name, { size = 100_000, count = 2_000 }) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 2 });
  const readers = new Readers(listening);
  await readers.connect(1);
  await readers.count();
  const texts = ["x", "y"].map((letter) => letter.repeat(size));
  /** Resolves to the peak RSS, with occasional garbage collections. */
  const broadcast = async (times: number): Promise<number> => {
    let highest = 0;
    for (let index = 0; index < times; index += 1) {
      listening.broadcast(texts[index % 2] as string);
      await nextTurn();
      if (index % 20 > 0) continue;
      globalThis.gc?.();
      highest = Math.max(highest, process.memoryUsage.rss());
    }
    return highest;
  };
  return {
    async measure() {
      // First the same to a client that reads, whose memory is not counted.
      const before = await broadcast(count);
      await readers.connect(1, { neverReads: true });
      return Math.max(0, (await broadcast(count)) - before) / MEGABYTE;
    },
    async close() {
      await readers.close();
      await listening.close();
    },
  };
};

/** Heap, or resident memory, in kB, of a connection that is idle after `initialize`. */
export const idleConnections: Workload = async (name, { connections = 2_000, resident = 0 }) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 4 });
  const readers = new Readers(listening);
  return {
    async measure() {
      await readers.connect(100);
      const before = await settledMemory();
      await readers.connect(connections);
      const after = await settledMemory();
      const kind = resident === 1 ? "rss" : "heapUsed";
      return (after[kind] - before[kind]) / connections / 1000;
    },
    async close() {
      await readers.close();
      await listening.close();
    },
  };
};
