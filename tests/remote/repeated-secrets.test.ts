import { McpClient } from "@idewire/core";
import { createHttpTransport, httpWithSse } from "@idewire/remote";
import { expect, test } from "vitest";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
} from "../src/scripted-http-server.ts";

async function serve(answer: ScriptedAnswer) {
  return new ScriptedHttpServer(answer).listen();
}

test("an address that a server repeats the token in is named without it", async () => {
  const token = "secret-0123456789";
  const headers = { authorization: `Bearer ${token}` };
  await using within = await serve((seen, response) => {
    if (seen.path === "/mcp") response.writeHead(308, { location: `/${token}` }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end();
  });
  await using away = await serve((_, response) =>
    response.writeHead(308, { location: `http://elsewhere.example/${token}` }).end(),
  );
  await using large = await serve((seen, response) => {
    if (seen.path === "/mcp") response.writeHead(308, { location: `/${token}` }).end();
    else json(response, result(seen.message.id, "x".repeat(1_000)));
  });
  await using sse = await serve((seen, response) => {
    if (seen.method === "POST") response.writeHead(405).end();
    else events(response).end(`event: endpoint\ndata: http://elsewhere.example/${token}\n\n`);
  });
  for (const [{ url }, named] of [
    [within, `initialize at ${within.url}: HTTP 200 text/plain without the answer`],
    [away, `${away.url} redirects to http://elsewhere.example/…: connect to the address`],
    [large, `initialize at ${large.url}: more than 500 bytes`],
    [sse, `${sse.url} names "http://elsewhere.example/…", which is not an address`],
  ] as const) {
    const transport = createHttpTransport(url, { headers, maxFrameBytes: 500, sse: httpWithSse });
    const failed = McpClient.connect(transport, { info: { name: "me", version: "1" } });
    await expect(failed).rejects.toThrow(named);
    await expect(failed).rejects.not.toThrow(token);
  }
});
