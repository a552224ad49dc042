import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadImplementation } from "../implementation.ts";
import type { Workload } from "../subject.ts";

/** A server listens, publishes its discovery file, and closes, after a warm-up. */
export const warmStart: Workload = async (name) => {
  const implementation = await loadImplementation(name);
  const folder = mkdtempSync(join(tmpdir(), "idewire-bench-"));
  return {
    async run() {
      const listening = await implementation.listen({ toolCount: 12, folder });
      await listening.close();
      return 1;
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A client connects, initializes and closes. */
export const connect: Workload = async (name) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 12 });
  return {
    async run() {
      const client = await implementation.connect(listening);
      await client.close();
      return 1;
    },
    close: () => listening.close(),
  };
};

const MEGABYTE = 1 << 20;

/** The growth of RSS, in MB, between the first 100,000 of a million calls over ws and the last. */
export const soak: Workload = async (name, { calls = 1_000_000 }) => {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listen({ toolCount: 2 });
  const client = await implementation.connect(listening);
  const callMany = async (times: number) => {
    for (let index = 0; index < times; index += 1) await client.echo("hello, benchmark");
  };
  const callAll = (times: number) =>
    Promise.all(Array.from({ length: 64 }, () => callMany(times / 64)));
  return {
    async measure() {
      await callAll(calls / 10);
      const first = process.memoryUsage.rss();
      let last = first;
      for (let part = 1; part < 10; part += 1) {
        await callAll(calls / 10);
        last = Math.max(last, process.memoryUsage.rss());
      }
      return (last - first) / MEGABYTE;
    },
    async close() {
      await client.close();
      await listening.close();
    },
  };
};
