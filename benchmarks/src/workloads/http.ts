import { HttpClient } from "../http-client.ts";
import { type ImplementationName, type Listening, loadImplementation } from "../implementation.ts";
import { settledMemory } from "../memory.ts";
import { openRedis } from "../redis-process.ts";
import type { Subject, Workload } from "../subject.ts";
import { calls, TEXT } from "./calls.ts";

/**
 * Calls of one client over Streamable HTTP, each a POST on a keep-alive connection: in a session, or `modern`;
 * answered with JSON, or with a stream that reports `progress` once before. With `shared`, the session is in
 * Redis.
 */
export const http: Workload = async (name, options) => {
  const { inFlight = 1, modern = 0, progress = 0, shared = 0 } = options;
  const implementation = await loadImplementation(name);
  const how = { modern: modern === 1, progress: progress === 1 };
  const redis = shared === 1 ? await openRedis() : undefined;
  const where = redis && { redis: redis.client };
  const listening = await implementation.listenHttp?.({ toolCount: 2, ...how, ...where });
  if (listening === undefined) throw new Error(`${name} has no HTTP server`);
  const client = await HttpClient.open(listening, how);
  const subject = calls(client, { inFlight, each: 64 / inFlight, call: () => client.echo(TEXT) });
  return {
    ...subject,
    async close() {
      await subject.close();
      await listening.close();
      await redis?.close();
    },
  };
};

/** Heap, in kB, of one of `sessions` sessions abandoned by their clients. */
export const idleSessions: Workload = async (name, { sessions = 2_000 }) => {
  const listening = await listenWith(name, sessions + 200);
  return {
    async measure() {
      await HttpClient.abandon(listening, 100);
      const before = await settledMemory();
      await HttpClient.abandon(listening, sessions);
      const after = await settledMemory();
      return (after.heapUsed - before.heapUsed) / sessions / 1000;
    },
    close: () => listening.close(),
  };
};

const MEGABYTE = 1 << 20;

/** The growth of RSS, in MB, when the number of requests of a session doubles. */
export const httpSoak: Workload = async (name, { requests = 100_000 }) => {
  const listening = await listenWith(name, 32);
  const client = await HttpClient.open(listening, { modern: false, progress: false });
  return growth({
    times: requests,
    each: () => client.echo(TEXT),
    async close() {
      await client.close();
      await listening.close();
    },
  });
};

/** The growth of RSS, in MB, when the number of abandoned sessions doubles. */
export const sessionSoak: Workload = async (name, { sessions = 10_000 }) => {
  const listening = await listenWith(name, 1_000);
  return growth({
    times: sessions / 100,
    each: () => HttpClient.abandon(listening, 100),
    close: () => listening.close(),
  });
};

interface Growing {
  readonly times: number;
  each(): Promise<unknown>;
  close(): Promise<void>;
}

function growth({ times, each, close }: Growing): Subject {
  const residentAfter = async () => {
    for (let index = 0; index < times; index += 1) await each();
    return (await settledMemory()).rss;
  };
  return {
    async measure() {
      const first = await residentAfter();
      return ((await residentAfter()) - first) / MEGABYTE;
    },
    close,
  };
}

async function listenWith(name: ImplementationName, maxSessions: number): Promise<Listening> {
  const implementation = await loadImplementation(name);
  const listening = await implementation.listenHttp?.({ toolCount: 2, maxSessions });
  if (listening === undefined) throw new Error(`${name} has no HTTP server`);
  return listening;
}
