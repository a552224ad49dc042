import { expect, onTestFinished, test, vi } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { events, json, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

async function listen(...[answer]: ConstructorParameters<typeof ScriptedHttpServer>) {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const refused = (message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } });

test.each([
  refused("Bad Request: No valid session ID provided"),
  refused("Bad Request: Server not initialized"),
  '{"error":{"code":-32000,"message":"Invalid session"}}',
  '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request"}}',
  "unknown client",
  "",
])("a restarted server that refuses the old session with 400 (%s) gets a new one", async (body) => {
  const server = await listen(
    withSessions(({ method, message: { id, method: called }, headers }, response) => {
      if (method === "DELETE") return false;
      if (headers["mcp-session-id"] === "session-1" && called !== "notifications/initialized") {
        return response.writeHead(400, { "content-type": "application/json" }).end(body);
      }
      if (called !== "tools/call") return false;
      return json(response, { jsonrpc: "2.0", id, result: { content: [] } });
    }),
  );
  const client = await connectOverHttp(server, { era: "legacy" });
  onTestFinished(() => client.close());
  expect(await client.callTool("a")).toMatchObject({ content: [] });
  expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
});

test("a stream that a restarted server refuses with 400 is opened again in a new session", async () => {
  let isRestarted = false;
  const server = await listen(
    withSessions(({ method, headers }, response) => {
      if (method === "DELETE") return false;
      if (isRestarted && headers["mcp-session-id"] === "session-1") {
        return response.writeHead(400).end("No such client");
      }
      if (method !== "GET") return false;
      if (isRestarted) return events(response);
      isRestarted = true;
      return events(response).end("retry: 1\n\n");
    }),
  );
  const client = await connectOverHttp(server, { era: "legacy" }, { listen: true });
  onTestFinished(() => client.close());
  const missed = vi.fn();
  client.onReopen(missed);
  await expect.poll(() => missed).toHaveBeenCalledTimes(1);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
});

test.each([refused("bad city"), refused("the session of the parliament is over"), "no session"])(
  "a refusal with 400 of one request alone (%s) does not end the session",
  async (body) => {
    const server = await listen(
      withSessions(({ message: { method } }, response) =>
        method === "tools/call"
          ? response.writeHead(400, { "content-type": "application/json" }).end(body)
          : false,
      ),
    );
    const client = await connectOverHttp(server, { era: "legacy" });
    onTestFinished(() => client.close());
    await expect(client.callTool("a")).rejects.toThrow(/bad city|session/);
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
  },
);
