import { McpClient } from "@idewire/core";
import { createHttpTransport } from "@idewire/remote";
import { expect, test } from "vitest";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

test("an answer that is no JSON fails one call, though the server refuses to hear of it", async () => {
  const answer = { content: [] };
  const errors: string[] = [];
  await using server = await new ScriptedHttpServer(
    withSessions(({ body, message: { id, method, params } }, response) => {
      if (body.includes('"id":null')) response.writeHead(500).end();
      else if (method !== "tools/call") return false;
      else if (params?.["name"] === "good") json(response, result(id, answer));
      else response.writeHead(200, { "content-type": "application/json" }).end("{not json");
    }),
  ).listen();
  const transport = createHttpTransport(server.url, {
    listen: false,
    onerror: ({ message }) => errors.push(message),
  });
  const client = await McpClient.connect(transport, { info: { name: "me", version: "1" } });
  await expect(client.callTool("bad")).rejects.toMatchObject({ code: "protocol" });
  await expect.poll(() => errors).toEqual([expect.stringContaining("an error at")]);
  expect(await client.callTool("good")).toEqual(answer);
  client.close();
  await client.closed;
  expect(server.seen.filter(({ body }) => body.includes('"id":null'))).toHaveLength(1);
});
