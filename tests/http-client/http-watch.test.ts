import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpFact, HttpWatch } from "@idewire/http/internal";
import { expect, onTestFinished, test } from "vitest";

async function open(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const facts: HttpFact[] = [];
  const secrets: string[] = [];
  const watch = new HttpWatch({
    onfact: (fact) => facts.push(fact),
    onsecret: (secret) => secrets.push(secret),
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { url, facts, secrets, watch, send: watch.over(fetch) };
}

test("a stream passes unchanged, and the id, type, retry and size of its events are reported", async () => {
  const body = 'id: 1\ndata:\n\nretry: 250\n\nevent: note\nid: 2\ndata: {"a":1}\r\n\r\n';
  const { url, facts, send } = await open((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
  });
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const response = await send(url, { method: "POST", body: message });
  expect(await response.text()).toBe(body);
  expect(facts).toMatchObject([
    {
      part: "request",
      exchange: 1,
      method: "POST",
      url,
      carries: [{ method: "tools/list", id: 1 }],
    },
    { part: "response", exchange: 1, status: 200 },
    { part: "event", id: "1", units: 0 },
    { part: "event", retry: 250 },
    { part: "event", id: "2", type: "note", units: 7 },
    { part: "end", bytes: body.length },
  ]);
});

test("the body of a refusal is reported, that of an answer in JSON-RPC is not, and a failure is", async () => {
  const { url, facts, send } = await open((request, response) => {
    if (request.method === "DELETE") request.socket.destroy();
    else if (request.method === "POST") response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    else response.writeHead(400, { "content-type": "text/plain" }).end("no session");
  });
  await (await send(url)).text();
  await (await send(url, { method: "POST", body: '[{"jsonrpc":"2.0","id":1}]' })).text();
  await expect(send(url, { method: "DELETE" })).rejects.toThrow();
  expect(facts.filter(({ part }) => part === "end")).toEqual([
    { part: "end", exchange: 1, bytes: 10, text: "no session" },
    { part: "end", exchange: 2, bytes: 36 },
    { part: "end", exchange: 3, bytes: 0, problem: expect.any(String) },
  ]);
});

test("the secrets of headers, forms, JSON and addresses are reported before the event that contains them", async () => {
  const { url, facts, secrets, watch, send } = await open((_, response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "set-cookie": "sid=cookie-1; Path=/",
      "mcp-session-id": "session-1",
    });
    response.end(
      '{"access_token":"access-1","nested":{"client_secret":"hidden-1"},"scope":"read"}',
    );
  });
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "code-1" });
  body.set("code_verifier", "verifier-1");
  await (
    await send(url, { method: "POST", headers: { authorization: "Bearer token-1" }, body })
  ).text();
  watch.visit(`${url}?state=s`)({ redirect: "http://127.0.0.1:1/callback?code=code-2&state=s" });
  for (const secret of [
    ...["token-1", "code-1", "verifier-1", "session-1", "access-1", "hidden-1"],
    "code-2",
  ]) {
    expect(secrets).toContain(secret);
  }
  expect(secrets).not.toContain("read");
  // Cookies and proofs are not part of the fact itself.
  expect(JSON.stringify(facts)).not.toContain("cookie-1");
});
