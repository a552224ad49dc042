import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { expect, test } from "vitest";
import { fuzzAnswers, fuzzEvents } from "../src/fuzz-http-client.ts";
import { events, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

test("a stream of events contains the messages that were written, however it is written and cut", async () => {
  await expect(fuzzEvents(150)).resolves.toBeUndefined();
});

test.each([
  ["legacy", false],
  ["modern", true],
])(
  "whatever a server of the %s era answers with, a call ends, and exposes no secret",
  async (_, isModern) => {
    const ends = await fuzzAnswers(isModern, 150);
    expect([...ends.keys()]).toEqual(expect.arrayContaining(["answered", "lost", "protocol"]));
  },
);

test("of an event of 20 MB no more than the limit is read, and the error names it", async () => {
  let written = 0;
  const part = Buffer.alloc(1 << 20, "x");
  await using server = await new ScriptedHttpServer(
    withSessions(async ({ message }, response) => {
      if (message.method !== "tools/call") return false;
      events(response).write("data: ");
      while (written < 20 << 20 && !response.destroyed) {
        written += part.length;
        await new Promise((resolve) => response.write(part, resolve));
      }
      response.end();
    }),
  ).listen();
  const transport = createHttpTransport(server.url);
  const client = await McpClient.connect(transport, { name: "t", version: "1", era: "legacy" });
  await expect(client.callTool("t")).rejects.toMatchObject({
    code: "protocol",
    message: `tools/call at ${server.url}: more than 16777216 bytes`,
  });
  client.close();
});
