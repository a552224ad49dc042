import { expect, test, vi } from "vitest";
import { httpWays } from "../src/chaos/chaos-client.ts";
import { WATCHED } from "../src/chaos/chaos-server.ts";
import {
  connectOverNetwork,
  cutExchanges,
  exchanges,
  serveCounting,
} from "../src/chaos/cut-exchanges.ts";

const PLACES = 6;

test.each(exchanges)(
  "over %s a %s whose network breaks anywhere is answered or reported as lost, and never run twice",
  async (way, operation) => {
    const { answered, lost, unreachable } = await cutExchanges(way, operation, PLACES);
    expect(answered + lost + unreachable).toBe(2 * PLACES);
    expect(lost).toBeGreaterThan(0);
  },
);

test.each(httpWays)(
  "over %s a listener is notified of a change during a break of the network",
  async (way) => {
    const server = await serveCounting();
    const { network, client } = await connectOverNetwork(way, server);
    const onUpdated = vi.fn();
    await client.subscribeResource(WATCHED, onUpdated);
    network.break("reset");
    server.server.resourceUpdated(WATCHED);
    expect(onUpdated).not.toHaveBeenCalled();
    network.mend();
    await expect.poll(() => onUpdated.mock.calls.length).toBeGreaterThan(0);
  },
);

test.each(httpWays)(
  "over %s a call in a network that hangs times out, and is not repeated",
  async (way) => {
    const server = await serveCounting();
    const { network, client } = await connectOverNetwork(way, server);
    await client.ping();
    network.hang();
    const call = client.callTool("call", { key: "k" }, { timeoutMs: 200 });
    await expect(call).rejects.toMatchObject({ code: "timeout" });
    network.mend();
    expect(server.runs.get("k") ?? 0).toBe(0);
  },
);
