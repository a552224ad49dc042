import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { json, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

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
  "Session not found",
])("a restarted server that refuses the old session with 400 (%s) gets a new one", async (body) => {
  let refusals = 0;
  const server = await listen(
    withSessions(({ message: { id, method }, headers }, response) => {
      if (method !== "tools/call") return false;
      if (headers["mcp-session-id"] === "session-1") {
        refusals += 1;
        return response.writeHead(400, { "content-type": "application/json" }).end(body);
      }
      return json(response, { jsonrpc: "2.0", id, result: { content: [] } });
    }),
  );
  const client = await connectOverHttp(server, { era: "legacy" });
  onTestFinished(() => client.close());
  expect(await client.callTool("a")).toMatchObject({ content: [] });
  expect(refusals).toBe(1);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
});

test("any other refusal with 400 does not end the session", async () => {
  const server = await listen(
    withSessions(({ message: { method } }, response) =>
      method === "tools/call"
        ? response.writeHead(400, { "content-type": "application/json" }).end(refused("bad city"))
        : false,
    ),
  );
  const client = await connectOverHttp(server, { era: "legacy" });
  onTestFinished(() => client.close());
  await expect(client.callTool("a")).rejects.toThrow("bad city");
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
});

test.each(["500", "a reset"])(
  "when server/discover ends in %s, the command names --era legacy",
  async (how) => {
    const server = await listen(
      withSessions(({ message: { method } }, response) => {
        if (method !== "server/discover") return false;
        return how === "500" ? response.writeHead(500).end() : response.destroy();
      }),
    );
    const command = new CliRun(openFixture(), { args: ["mcp", "tools", server.url] });
    expect(await command.exited).toBe(1);
    expect(command.errors).toContain("--era legacy");
  },
);
