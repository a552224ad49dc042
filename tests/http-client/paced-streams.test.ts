import { McpClient } from "@idewire/core/client";
import type { Clock } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { expect, test } from "vitest";
import { events, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const info = { name: "me", version: "1" };

/** A clock whose timers fire at once, and the requested delays. */
function countingClock() {
  const waits: number[] = [];
  const clock: Clock = {
    setTimeout(run, delayMs) {
      waits.push(delayMs);
      return setTimeout(run, 0);
    },
    clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
  };
  return { waits, clock };
}

test("a listening stream that ends repeatedly is reopened with growing pauses, whatever its server asks for", async () => {
  const { waits, clock } = countingClock();
  await using server = await new ScriptedHttpServer(
    withSessions(({ method }, response) => {
      if (method !== "GET") return false;
      const isFirst = server.methods.filter((each) => each === "GET").length === 1;
      events(response).end(isFirst ? "retry: 0\ndata: \n\n" : "");
    }),
  ).listen();
  const client = await McpClient.connect(createHttpTransport(server.url, { clock }), {
    ...info,
    era: "legacy",
  });
  await expect.poll(() => waits.length).toBeGreaterThan(12);
  expect(waits.slice(0, 10)).toEqual([
    ...[200, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000],
  ]);
  client.close();
});

test("a call is resumed after its server's delay, and more slowly from then on", async () => {
  const { waits, clock } = countingClock();
  await using server = await new ScriptedHttpServer(
    withSessions(({ method, message }, response) => {
      if (method === "GET") events(response).end();
      else if (message.method === "tools/call") {
        events(response).end("retry: 0\nid: e1\ndata: \n\n");
      } else return false;
    }),
  ).listen();
  const transport = createHttpTransport(server.url, { clock, listen: false });
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "lost" });
  expect(waits).toEqual([0, 200, 400, 800, 1_600, 3_200]);
  client.close();
});

test("a call whose server keeps failing is lost, with the server's message", async () => {
  const { waits, clock } = countingClock();
  await using server = await new ScriptedHttpServer(
    withSessions(({ method, message }, response) => {
      if (method === "GET") response.writeHead(503, { "retry-after": "2" }).end("too busy");
      else if (message.method === "tools/call") events(response).end("id: e1\ndata: \n\n");
      else return false;
    }),
  ).listen();
  const transport = createHttpTransport(server.url, { clock, listen: false });
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  await expect(client.callTool("a")).rejects.toMatchObject({
    code: "lost",
    message: expect.stringContaining("cannot be resumed: resuming: HTTP 503 too busy"),
  });
  expect(waits.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  client.close();
});
