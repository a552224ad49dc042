import { manualClock } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const CALLS = 1_000;
const answer = { content: [] };
const names = Array.from({ length: CALLS }, (_, index) => `tool ${index}`);

/** A server whose first session ends, and the names of the calls that it has run. */
async function ending(refuse: "at once" | "one by one" | "after the last") {
  const carriedOut: unknown[] = [];
  let hasEnded = false;
  const held: (() => void)[] = [];
  const server = await new ScriptedHttpServer(
    withSessions(({ headers, message: { id, method, params } }, response) => {
      if (method !== "tools/call") return false;
      if (!hasEnded || headers["mcp-session-id"] !== "session-1") {
        carriedOut.push(params?.["name"]);
        json(response, result(id, answer));
        return true;
      }
      held.push(() => void response.writeHead(404).end());
      if (refuse === "at once") held.pop()?.();
      else if (refuse === "one by one") setTimeout(() => held.shift()?.(), held.length % 50);
      else if (held.length === CALLS) for (const each of held) each();
      return true;
    }),
  ).listen();
  const end = () => {
    hasEnded = true;
  };
  return { server, carriedOut, end };
}

test.each(["at once", "one by one", "after the last"] as const)(
  "calls whose session has ended, refused %s, are repeated once each, in one new session",
  async (refuse) => {
    const { server: scripted, carriedOut, end } = await ending(refuse);
    await using server = scripted;
    // The clock is stopped: on a busy machine, too, the client waits for every answer.
    const client = await connectOverHttp(server, {}, { clock: manualClock() });
    await client.callTool("before");
    end();
    const outcomes = await Promise.allSettled(names.map((name) => client.callTool(name)));
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(carriedOut.sort()).toEqual(["before", ...names].sort());
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
    await client.close();
  },
);

test("calls of an ended session are repeated, however slowly the server refuses them one by one", async () => {
  const held: (() => void)[] = [];
  const carriedOut: unknown[] = [];
  await using server = await new ScriptedHttpServer(
    withSessions(({ headers, message: { id, method, params } }, response) => {
      if (method !== "tools/call") return false;
      if (headers["mcp-session-id"] === "session-1") {
        return held.push(() => void response.writeHead(404).end());
      }
      carriedOut.push(params?.["name"]);
      return json(response, result(id, answer));
    }),
  ).listen();
  const clock = manualClock();
  const client = await connectOverHttp(server, {}, { clock });
  // After an answer, the server has received `notifications/initialized`.
  await client.ping();
  const { transport } = client.peer;
  const few = names.slice(0, 5);
  const calls = Promise.all(few.map((name) => client.callTool(name)));
  await expect.poll(() => held).toHaveLength(few.length);
  for (const refuse of held) {
    const waiting = transport.bufferedAmount;
    refuse();
    await expect.poll(() => transport.bufferedAmount).toBeLessThan(waiting);
    clock.advance(1_900);
  }
  expect(await calls).toEqual(few.map(() => answer));
  expect(carriedOut.sort()).toEqual(few);
  client.close();
});

test("a call of an ended session that is never refused is lost, and blocks no other", async () => {
  let refuse = () => {};
  await using server = await new ScriptedHttpServer(
    withSessions(({ headers, message: { id, method, params } }, response) => {
      if (method !== "tools/call") return false;
      if (headers["mcp-session-id"] !== "session-1") return json(response, result(id, answer));
      if (params?.["name"] === "refused") refuse = () => void response.writeHead(404).end();
      return true;
    }),
  ).listen();
  const clock = manualClock();
  const client = await connectOverHttp(server, {}, { clock });
  await client.ping();
  const { transport } = client.peer;
  const unrefused = client.callTool("unrefused").catch((error) => error);
  const call = client.callTool("refused");
  await expect.poll(() => server.methods.filter((each) => each === "tools/call")).toHaveLength(2);
  refuse();
  await expect.poll(() => transport.reaches?.()).toBe(false);
  const passTime = () => {
    clock.advance(2_000);
    return server.methods.filter((each) => each === "initialize");
  };
  await expect.poll(passTime).toHaveLength(2);
  expect(await call).toEqual(answer);
  expect(await unrefused).toMatchObject({ code: "lost" });
  client.close();
});
