import { claudeCode, type Dialect, IdeServer, jetBrains, neovim } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair, RpcError } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { createMcpHandler } from "@idewire/http";
import * as v from "valibot";
import { expect, test } from "vitest";

const LONG = `/vault/${"x".repeat(1_000_000)}`;
/** Below the limit for a path. */
const PATH_LONG = "x".repeat(30_000);
const MOST = 200;

/** The length of the longest part of the input that is repeated in an answer or error. */
async function repeated(answer: Promise<unknown>): Promise<number> {
  const answerText = await answer.then(
    (value) => JSON.stringify(value),
    (error) =>
      error instanceof RpcError ? error.message + JSON.stringify(error.data) : String(error),
  );
  return longestRun(answerText ?? "");
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/x+/g) ?? []).map(({ length }) => length));
}

const dialects: readonly Dialect[] = [claudeCode, neovim, jetBrains];
const paths = ["/vault/", "/elsewhere/", "", "file:///vault/", "C:\\"].flatMap((start) =>
  ["x".repeat(1_000_000), PATH_LONG].map((rest) => start + rest),
);

test.each(dialects)(
  "a tool of $id repeats at most 200 characters of an argument",
  async (dialect) => {
    const host = fakeEditorHost();
    host.folders = [{ path: posixPath("/vault"), name: "vault" }];
    const server = new IdeServer({ host, dialect });
    const [near, far] = createMemoryTransportPair();
    server.open(far);
    const agent = await McpClient.connect(near, { name: "agent", version: "1", era: "legacy" });
    for (const { name, inputSchema } of await agent.listTools()) {
      if (/diff/i.test(name)) continue;
      const names = Object.keys((inputSchema as { properties?: object }).properties ?? {});
      for (const value of [...paths, paths, { [LONG]: 1 }, 1e300]) {
        const args = Object.fromEntries(names.map((each) => [each, value]));
        expect(await repeated(agent.callTool(name, args)), name).toBeLessThanOrEqual(MOST);
      }
    }
    await agent.close();
  },
);

test("a server repeats at most 200 characters of a name", async () => {
  const server = new McpServer({ name: "server", version: "1" });
  server.tool("add", { input: v.object({ a: v.number() }) }, () => "");
  server.prompt("greet", { arguments: { name: { required: true } } }, () => "");
  server.resource("docs://index", { name: "index" }, () => "");
  const [near, far] = createMemoryTransportPair();
  server.connect(far);
  const client = await McpClient.connect(near, { name: "agent", version: "1", era: "legacy" });
  const answers: readonly Promise<unknown>[] = [
    client.callTool(LONG),
    client.callTool("add", { a: LONG }),
    client.callTool("add", { [LONG]: 1 }),
    client.readResource(LONG),
    client.readResource(`docs://${PATH_LONG}`),
    client.getPrompt(LONG, {}),
    client.peer.request(LONG, {}),
    client.peer.request("prompts/get", { name: "greet", arguments: { name: [LONG] } }),
    client.peer.request("tools/list", { cursor: LONG }),
    client.peer.request("logging/setLevel", { level: LONG }),
    client.peer.request("completion/complete", { ref: { type: LONG }, argument: {} }),
    client.peer.request("resources/subscribe", { uri: LONG }),
  ];
  for (const [index, answer] of answers.entries()) {
    expect(await repeated(answer), String(index)).toBeLessThanOrEqual(MOST);
  }
  await client.close();
});

test("an HTTP handler repeats at most 200 characters of a header or a body", async () => {
  const server = new McpServer({ name: "server", version: "1" });
  const handler = createMcpHandler(server, { access: "anyone" });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const bodies = [
    LONG,
    JSON.stringify(LONG),
    JSON.stringify({ jsonrpc: LONG }),
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: LONG }),
  ];
  for (const body of bodies) {
    const response = await handler.fetch(
      new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }),
    );
    expect(longestRun(await response.text())).toBeLessThanOrEqual(MOST);
  }
  for (const name of ["mcp-protocol-version", "mcp-session-id", "last-event-id"]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const request = { method: "POST", headers: { ...headers, [name]: LONG }, body };
    const response = await handler.fetch(new Request("http://127.0.0.1/mcp", request));
    expect(longestRun(await response.text())).toBeLessThanOrEqual(MOST);
  }
});
