import type { McpClient } from "@idewire/core/client";
import type { CallToolResult } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished } from "vitest";
import { connectInChaos, httpWays, openHttp, type Way } from "./chaos-client.ts";
import { createChaosServer } from "./chaos-server.ts";
import { type Break, type Direction, openFaultyNetwork } from "./faulty-network.ts";
import {
  type CallOutcome,
  expectRuns,
  expectUsable,
  type Operation,
  outcomeOf,
  textOf,
} from "./outcomes.ts";

/** The tool to call, and the way. */
export const exchanges: readonly (readonly [Way, Operation])[] = [
  ...httpWays.flatMap((way) => [[way, "call"] as const, [way, "question"] as const]),
  ["modern HTTP", "task"],
];

/** A server in this process, and the number of runs of each call. */
export interface CountingServer {
  readonly port: number;
  readonly runs: ReadonlyMap<string, number>;
  readonly server: ReturnType<typeof createChaosServer>;
}

/** Serves over HTTP until the test ends. */
export async function serveCounting(): Promise<CountingServer> {
  const runs = new Map<string, number>();
  const server = createChaosServer((key) => runs.set(key, (runs.get(key) ?? 0) + 1));
  const listener = await listenMcp(server, { access: "anyone", ssePath: "/sse" });
  onTestFinished(() => listener.close());
  return { port: listener.port, runs, server };
}

/** Connects to a server over a network that can break. */
export async function connectOverNetwork(way: Way, { port }: CountingServer) {
  const network = await openFaultyNetwork(port);
  const client = await connectInChaos(way, openHttp(way, network.port));
  onTestFinished(() => client.close());
  return { network, client };
}

interface Cut {
  readonly direction: Direction;
  readonly bytes: number;
  readonly how: Break;
}

/**
 * Makes calls, each over a separate network that breaks at a different byte of the exchange and is repaired at
 * once. Each call must end with its answer after one run, or with an error whose code and message state whether
 * it may have run; and the client must remain usable.
 * @param places the number of bytes per direction at which to break; every byte if there are fewer
 * @returns the number of calls by outcome
 */
export async function cutExchanges(
  way: Way,
  operation: Operation,
  places: number,
): Promise<Record<CallOutcome, number>> {
  const server = await serveCounting();
  const totals = await measure(way, operation, server);
  const outcomes: Record<CallOutcome, number> = { answered: 0, lost: 0, unreachable: 0 };
  const cuts = (["to-server", "to-client"] as const).flatMap((direction) =>
    placesIn(totals[direction], places).map(
      (bytes, index): Cut => ({ direction, bytes, how: index % 2 === 0 ? "end" : "reset" }),
    ),
  );
  for (let first = 0; first < cuts.length; first += 64) {
    const some = cuts.slice(first, first + 64).map((cut) => cutOne(way, operation, server, cut));
    for (const callOutcome of await Promise.all(some)) outcomes[callOutcome] += 1;
  }
  return outcomes;
}

function placesIn(total: number, places: number): readonly number[] {
  const count = Math.min(total, places);
  return Array.from({ length: count }, (_, index) => Math.floor((index * total) / count));
}

async function measure(way: Way, operation: Operation, server: CountingServer) {
  const { network, client } = await connectOverNetwork(way, server);
  network.mend();
  const answer = textOf(await call(client, operation, "measured"));
  expect(answer).toContain(answerOf(operation, "measured"));
  const { passed } = network;
  client.close();
  return passed;
}

async function cutOne(
  way: Way,
  operation: Operation,
  server: CountingServer,
  { direction, bytes, how }: Cut,
): Promise<CallOutcome> {
  const { network, client } = await connectOverNetwork(way, server);
  const key = `${direction} ${bytes} ${how}`;
  network.mend();
  network.onbreak = () => setImmediate(() => network.mend());
  network.breakAfter(direction, bytes, how);
  const called = call(client, operation, key);
  const callOutcome = await outcomeOf(called);
  if (callOutcome === "answered") expect(textOf(await called)).toContain(answerOf(operation, key));
  expectRuns(server.runs.get(key) ?? 0, callOutcome, `${way} ${key}`);
  network.mend();
  await expectUsable(client);
  client.close();
  return callOutcome;
}

function call(client: McpClient, name: Operation, key: string): Promise<CallToolResult> {
  return client.callTool(name, { key }, { timeoutMs: 100_000, onProgress: () => {} });
}

/** The content of the answer to a call. */
function answerOf(operation: Operation, key: string): string {
  return operation === "question" ? "Ann" : key;
}
