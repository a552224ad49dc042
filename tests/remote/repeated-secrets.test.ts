import { McpClient, RpcError } from "@idewire/core";
import { createHttpTransport, httpWithSse } from "@idewire/remote";
import { expect, test } from "vitest";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
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

const token = "abcd/efgh+ijkl";

test.each([
  ["400", "as it is", token],
  ["400", "with escaped slashes", token.replaceAll("/", "\\/")],
  ["400", "in code units", escaped(token)],
  ["200", "as it is", token],
  ["200", "in code units", escaped(token)],
  ["an event", "as it is", token],
  ["an event", "in code units", escaped(token)],
])("an error in %s that repeats the token %s is told without it", async (how, _, repeated) => {
  const words = JSON.stringify({ words: "TOKEN is bad" }).replace("TOKEN", () => repeated);
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const message = `"message":"TOKEN is bad"`.replace("TOKEN", () => repeated);
      const key = how === "400" ? "error" : "\\u0065rror";
      const body = `{"jsonrpc":"2.0","id":${id},"${key}":{"code":-32000,${message},"data":${words}}}`;
      if (how === "an event") events(response).end(`data: ${body}\n\n`);
      else {
        response.writeHead(Number(how), { "content-type": "application/json" });
        response.end(body);
      }
    }),
  ).listen();
  const headers = { authorization: `Bearer ${token}` };
  const transport = createHttpTransport(server.url, { headers, listen: false });
  const client = await McpClient.connect(transport, { info: { name: "me", version: "1" } });
  const error: unknown = await client.callTool("a").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({ message: "… is bad", data: { words: "… is bad" } });
  client.close();
});

function escaped(text: string): string {
  const units = Array.from(text, (unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}
