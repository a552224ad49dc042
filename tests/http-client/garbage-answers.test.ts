import { expect, test, vi } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const answer = { content: [] };

test("an answer that is not JSON fails one call, without a message to the server", async () => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ body, message: { id, method, params } }, response) => {
      if (body.includes('"id":null')) response.writeHead(500).end();
      else if (method !== "tools/call") return false;
      else if (params?.["name"] === "good") json(response, result(id, answer));
      else response.writeHead(200, { "content-type": "application/json" }).end("{not json");
    }),
  ).listen();
  const client = await connectOverHttp(server);
  await expect(client.callTool("bad")).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringMatching(/: HTTP 200 application\/json without the answer: \{not json$/),
  });
  expect(await client.callTool("good")).toEqual(answer);
  await client.close();
  expect(server.seen.filter(({ body }) => body.includes('"id":null'))).toEqual([]);
});

test("an answer without a result fails one call, without a message to the server", async () => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method, params } }, response) => {
      if (method === undefined) response.writeHead(500).end();
      else if (method !== "tools/call") return false;
      else if (params?.["name"] === "good") json(response, result(id, answer));
      else json(response, { jsonrpc: "2.0", id: params?.["name"] === "stray" ? 5 : id });
    }),
  ).listen();
  const refused = vi.fn();
  const client = await connectOverHttp(server, { peer: { onrefused: refused } });
  await expect(client.callTool("bad")).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining('answered tools/call with {"jsonrpc":"2.0","id":'),
  });
  await expect(client.callTool("stray")).rejects.toMatchObject({ code: "protocol" });
  expect(refused.mock.calls).toEqual([["No request waits for this answer"]]);
  expect(await client.callTool("good")).toEqual(answer);
  const calls = Array(3).fill("tools/call");
  expect(server.methods).toEqual(["initialize", "notifications/initialized", ...calls]);
  client.close();
});
